import { html, nothing } from 'lit-html'
import type { Vehicle } from '../../client/browser.ts'
import { forecourt } from './api-and-account.ts'
import { open, stored, withParameter } from './navigation.ts'
import { describeError } from './notices-and-forms.ts'

export const VEHICLE = 'shop-vehicle'
/** What has been chosen of a vehicle. With its id, products must fit it. */
type ChosenVehicle = { [Part in keyof Vehicle]?: Vehicle[Part] | null | undefined }

/** What cannot be read was not chosen. */
export function readVehicle(): ChosenVehicle {
  try {
    return Object(JSON.parse(stored[VEHICLE] ?? '{}'))
  } catch {
    return {}
  }
}

export const keepVehicle = (vehicle: ChosenVehicle) => Object.assign(stored, { [VEHICLE]: JSON.stringify(vehicle) })
/** `2014 Honda Civic LX 1.8L I4 JM` */
export const formatVehicle = ({ year, make, model, submodel, engine, market }: ChosenVehicle): string =>
  [year, make, model, submodel, engine, market].filter(Boolean).join(' ')

/** The path of the list for a vehicle. */
export const pathFor = ({ vehicle_id }: ChosenVehicle, query = new URLSearchParams()): string =>
  withParameter(query, (next) => (vehicle_id ? next.set('vehicle_id', String(vehicle_id)) : next.delete('vehicle_id')))

function choose(vehicle: ChosenVehicle): void {
  keepVehicle(vehicle)
  open(pathFor(vehicle, new URLSearchParams(location.search)))
}

/** The selects of a vehicle. Without the vehicle list, the products are shown all the same. */
export async function vehiclePicker(vehicle: ChosenVehicle) {
  const content = await createSelects(vehicle).catch((error) => html`<p class="problem">${describeError(error)}</p>`)
  return html`<section class="vehicle" aria-label="Your vehicle"><p>Find what fits</p>${content}</section>`
}

/** Each select has what fits the choices before it. */
async function createSelects({ year, make, vehicle_id }: ChosenVehicle) {
  const [years, makes, models] = await Promise.all([
    forecourt.listVehicleYears(),
    year ? forecourt.listVehicleMakes({ year }) : null,
    year && make ? forecourt.listVehicleModels({ year, make }) : null,
  ])
  const versions = models?.data.flatMap(({ label: model, variants = [] }) =>
    variants.map((one) => ({ value: `${one.vehicle_id}`, label: formatVehicle({ ...one, model }) })),
  )
  return html`
    ${select('Year', years.data, year, (value) => choose({ year: Number(value) }))}
    ${select('Make', makes?.data, make, (value) => choose({ year, make: value }))}
    ${select('Model', versions, vehicle_id, (value) => choose({ year, make, vehicle_id: Number(value) }))}
    ${year ? html`<button type="button" class="quiet" @click=${() => choose({})}>Any vehicle</button>` : nothing}`
}

type Choice = { value: string; label: string }
type Change = (value: string) => void
const select = (name: string, choices: readonly Choice[] = [], chosen: unknown, change: Change) => html`
  <select aria-label=${name} ?disabled=${choices.length === 0}
    @change=${({ currentTarget }: Event) => change((currentTarget as HTMLSelectElement).value)}>
    <option value="">${name}</option>
    ${choices.map(({ value, label }) => html`<option value=${value} .selected=${value === String(chosen)}>${label}</option>`)}
  </select>`
