import { html, nothing, render } from 'lit-html'
import { forecourt } from './api-and-account.ts'
import { open } from './navigation.ts'
import { type ControlEvent, describeError } from './notices.ts'

const VEHICLE = 'shop-vehicle'
const labels = ['Year', 'Make', 'Model', 'Version']

interface ChosenVehicle {
  id: number
  label: string
}

interface Choice {
  value: string
  label: string
}

export const readVehicle = (): ChosenVehicle | null => JSON.parse(localStorage.getItem(VEHICLE) ?? 'null')

function chooseVehicle(vehicle: ChosenVehicle | null): void {
  localStorage.setItem(VEHICLE, JSON.stringify(vehicle))
  open(location.pathname + location.search)
}

/** The vehicle that products must fit, or the selects to choose one: each answers to the one before it. */
export function vehiclePicker() {
  const vehicle = readVehicle()
  const chosen = html`
    <p>Fits <b>${vehicle?.label}</b></p>
    <button type="button" class="quiet" @click=${() => chooseVehicle(null)}>Any vehicle</button>`
  const content = vehicle ? chosen : html`<p>Find what fits</p>${createSelects()}`
  return html`<section class="vehicle" aria-label="Your vehicle">${content}</section>`
}

function createSelects(): HTMLElement {
  const element = document.createElement('div')
  const lists: (readonly Choice[])[] = []
  let values: string[] = []

  function show(problem = ''): void {
    const selects = labels.map(
      (label, step) => html`
      <select id="vehicle-${label}" aria-label=${label} ?disabled=${!lists[step]}
        @change=${({ currentTarget }: ControlEvent<HTMLSelectElement>) => choose(step, currentTarget.value)}>
        <option value="">${label}</option>
        ${lists[step]?.map((choice) => html`<option value=${choice.value}>${choice.label}</option>`)}
      </select>`,
    )
    render(html`${selects}${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}`, element)
  }

  function choose(step: number, value: string): void {
    values = [...values.slice(0, step), value]
    const version = lists[step]?.find((choice) => choice.value === value)?.label
    if (step < labels.length - 1) fill(step + 1)
    else chooseVehicle({ id: Number(value), label: [...values.slice(0, step), version].join(' ') })
  }

  /** Empties a select and those behind it, and fills it. If another choice is made meanwhile, that one counts. */
  async function fill(step: number): Promise<void> {
    const asked = values
    lists.length = step
    show()
    try {
      const list = await readChoices(asked)
      if (asked === values) lists.push(list)
      show()
    } catch (error) {
      show(describeError(error))
    }
  }

  fill(0)
  return element
}

async function readChoices([year, make, model]: readonly string[]): Promise<readonly Choice[]> {
  if (!year) return (await forecourt.listVehicleYears()).data
  if (!make) return (await forecourt.listVehicleMakes({ year: Number(year) })).data
  const { data } = await forecourt.listVehicleModels({ year: Number(year), make })
  if (!model) return data
  const variants = data.find(({ value }) => value === model)?.variants ?? []
  return variants.map(({ vehicle_id, submodel, engine, market }) => {
    return { value: String(vehicle_id), label: [submodel, engine, market].filter(Boolean).join(' ') }
  })
}
