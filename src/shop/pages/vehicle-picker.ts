import type { VehicleFacetValue } from '../../client/browser.ts'
import { forecourt } from './api-and-account.ts'
import { el } from './dom.ts'
import { open } from './navigation.ts'
import { describeError } from './notices.ts'

const VEHICLE = 'shop-vehicle'

export interface ChosenVehicle {
  id: number
  label: string
}

export function readVehicle(): ChosenVehicle | null {
  return JSON.parse(localStorage.getItem(VEHICLE) ?? 'null')
}

function chooseVehicle(vehicle: ChosenVehicle | null): void {
  localStorage.setItem(VEHICLE, JSON.stringify(vehicle))
  open(location.pathname + location.search)
}

/** The vehicle that products must fit, or the selects to choose one: each answers to the one before it. */
export function vehiclePicker(): HTMLElement {
  const chosen = readVehicle()
  if (chosen) {
    const change = el('button', { type: 'button', class: 'quiet', click: () => chooseVehicle(null) }, 'Any vehicle')
    return el(
      'section',
      { class: 'vehicle', 'aria-label': 'Your vehicle' },
      el('p', {}, 'Fits ', el('b', {}, chosen.label)),
      change,
    )
  }
  const [year, make, model, variant] = ['Year', 'Make', 'Model', 'Version'].map(createSelect)
  if (!year || !make || !model || !variant) return el('section')
  const problem = el('p', { class: 'problem', role: 'alert' })
  const show = (read: () => Promise<void>) => read().catch((error) => problem.replaceChildren(describeError(error)))

  year.addEventListener('change', () =>
    show(async () =>
      fill(make, (await forecourt.listVehicleMakes({ year: Number(year.value) })).data, [model, variant]),
    ),
  )
  let models: VehicleFacetValue[] = []
  make.addEventListener('change', () =>
    show(async () => {
      models = (await forecourt.listVehicleModels({ year: Number(year.value), make: make.value })).data
      fill(model, models, [variant])
    }),
  )
  model.addEventListener('change', () => {
    const variants = models.find(({ value }) => value === model.value)?.variants ?? []
    const toLabel = (parts: (string | null)[]) => parts.filter(Boolean).join(' ')
    fill(
      variant,
      variants.map(({ vehicle_id, submodel, engine, market }) => ({
        value: String(vehicle_id),
        label: toLabel([submodel, engine, market]),
      })),
      [],
    )
  })
  variant.addEventListener('change', () => {
    const version = variant.selectedOptions[0]?.text ?? ''
    chooseVehicle({ id: Number(variant.value), label: `${year.value} ${make.value} ${model.value} ${version}` })
  })
  show(async () => fill(year, (await forecourt.listVehicleYears()).data, [make, model, variant]))
  return el(
    'section',
    { class: 'vehicle', 'aria-label': 'Your vehicle' },
    el('p', {}, 'Find what fits'),
    year,
    make,
    model,
    variant,
    problem,
  )
}

const createSelect = (label: string) =>
  el('select', { 'aria-label': label, id: `vehicle-${label}`, disabled: true }, el('option', { value: '' }, label))

/** Fills a select, and empties those that follow. */
function fill(
  select: HTMLSelectElement,
  values: readonly { value: string; label: string }[],
  following: readonly HTMLSelectElement[],
): void {
  for (const one of [select, ...following]) {
    one.disabled = true
    for (const option of [...one.options].slice(1)) option.remove()
  }
  select.append(...values.map(({ value, label }) => el('option', { value }, label)))
  select.disabled = false
}
