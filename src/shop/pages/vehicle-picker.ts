import { html, nothing } from 'lit-html'
import { forecourt } from './api-and-account.ts'
import { reload } from './navigation.ts'
import { describeError } from './notices-and-forms.ts'

const VEHICLE = 'shop-vehicle'

/** What has been chosen of a vehicle. With its id, products must fit it. */
interface ChosenVehicle {
  year?: string | undefined
  make?: string | undefined
  id?: string
}

export const readVehicle = (): ChosenVehicle => JSON.parse(localStorage.getItem(VEHICLE) ?? '{}')

function choose(vehicle: ChosenVehicle): void {
  localStorage.setItem(VEHICLE, JSON.stringify(vehicle))
  reload()
}

/** The selects of a vehicle. Without the vehicle list, the products are shown all the same. */
export async function vehiclePicker() {
  const problem = (error: unknown) => html`<p class="problem">${describeError(error)}</p>`
  const content = await createSelects(readVehicle()).catch(problem)
  return html`<section class="vehicle" aria-label="Your vehicle"><p>Find what fits</p>${content}</section>`
}

/** Each select has what fits the choices before it. */
async function createSelects({ year, make, id }: ChosenVehicle) {
  const [years, makes, models] = await Promise.all([
    forecourt.listVehicleYears(),
    year ? forecourt.listVehicleMakes({ year: Number(year) }) : null,
    year && make ? forecourt.listVehicleModels({ year: Number(year), make }) : null,
  ])
  const versions = models?.data.flatMap(({ label, variants = [] }) =>
    variants.map(({ vehicle_id, submodel, engine, market }) => {
      return { value: String(vehicle_id), label: [label, submodel, engine, market].filter(Boolean).join(' ') }
    }),
  )
  return html`
    ${select('Year', years.data, year, (value) => choose({ year: value }))}
    ${select('Make', makes?.data, make, (value) => choose({ year, make: value }))}
    ${select('Model', versions, id, (value) => choose({ year, make, id: value }))}
    ${year ? html`<button type="button" class="quiet" @click=${() => choose({})}>Any vehicle</button>` : nothing}`
}

type Choice = { value: string; label: string }

const select = (name: string, choices: readonly Choice[] = [], chosen = '', change: (value: string) => void) => html`
  <select aria-label=${name} ?disabled=${choices.length === 0}
    @change=${({ currentTarget }: Event) => change((currentTarget as HTMLSelectElement).value)}>
    <option value="">${name}</option>
    ${choices.map(({ value, label }) => html`<option value=${value} .selected=${value === chosen}>${label}</option>`)}
  </select>`
