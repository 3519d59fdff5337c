import type { Fitment } from '../ports/inventory.ts'
import type { Column, Head } from './csv-columns.ts'
import {
  FieldMistake,
  isUniversal,
  nameOf,
  positionsOf,
  qualifiersOf,
  quantityOf,
  quoted,
  textOf,
  vehicleIdOf,
  yearsOf,
} from './csv-fields.ts'
import type { NamedVehicle } from './vehicle-key.ts'

/** What one line says: that a SKU fits these vehicles, or all. */
export interface Application {
  sku: string
  /** `null`: it is universal. */
  vehicles: NamedVehicle[] | null
  vehicleId: number | null
  fitment: Fitment
}

/** `market`: of lines that name none. Throws FieldMistake. */
export function applicationOf(cells: readonly string[], { at, width }: Head, market: string): Application {
  if (cells.length !== width) throw new FieldMistake(`has ${cells.length} fields, where the head line has ${width}`)
  const cell = (column: Column) => cells[at[column] ?? -1] ?? ''
  const sku = skuOf(cell('sku'))
  const fitment = {
    positions: positionsOf(cell('positions')),
    quantity: quantityOf(cell('quantity')),
    notes: textOf('notes', cell('notes'), 2_000).replace(/\r\n?/g, '\n') || null,
    qualifiers: qualifiersOf(cell('qualifiers')),
  }
  if (isUniversal(cell('universal'))) {
    const named = (['year', 'make', 'model', 'submodel', 'engine', 'vehicle_id'] as const).find((of) => cell(of).trim())
    if (named) throw new FieldMistake(`is universal, and yet has a ${named}`)
    return { sku, vehicles: null, vehicleId: null, fitment }
  }
  const lacking = (['year', 'make', 'model'] as const).filter((of) => cell(of).trim() === '')
  if (lacking.length > 0) throw new FieldMistake(`has no ${lacking.join(', no ')}, and is not universal`)
  const of = {
    market: nameOf('market', cell('market'), 64) || market,
    make: nameOf('make', cell('make')),
    model: nameOf('model', cell('model')),
    submodel: nameOf('submodel', cell('submodel')) || null,
    engine: nameOf('engine', cell('engine')) || null,
  }
  const vehicles = yearsOf(cell('year')).map((year) => ({ ...of, year }))
  const vehicleId = vehicleIdOf(cell('vehicle_id'))
  if (vehicleId !== null && vehicles.length > 1)
    throw new FieldMistake(`has one vehicle_id for ${vehicles.length} years: a vehicle is of one year`)
  return { sku, vehicles, vehicleId, fitment }
}

function skuOf(cell: string): string {
  const sku = textOf('sku', cell, 128)
  if (sku === '') throw new FieldMistake('has no sku')
  if (sku === '.' || sku === '..' || /[\n\r\t]/.test(sku)) throw new FieldMistake(`sku ${quoted(sku)} cannot be one`)
  return sku
}
