import type { Fitment } from '../ports/inventory.ts'
import type { CsvHeader, FitmentColumn } from './csv-columns.ts'
import {
  CsvFieldError,
  isUniversal,
  parseNameField,
  parsePositions,
  parseQualifiers,
  parseQuantity,
  parseTextField,
  parseVehicleId,
  parseYears,
  quoteValue,
} from './csv-fields.ts'
import type { NamedVehicle } from './vehicle-key.ts'

/** What one line says: that a SKU fits these vehicles, or all. */
export interface FitmentLine {
  sku: string
  /** `null`: it is universal. */
  vehicles: NamedVehicle[] | null
  vehicleId: number | null
  fitment: Fitment
}

/** `market`: of lines that name none. Throws FieldMistake. */
export function parseFitmentLine(cells: readonly string[], { at, width }: CsvHeader, market: string): FitmentLine {
  if (cells.length !== width) throw new CsvFieldError(`has ${cells.length} fields, where the head line has ${width}`)
  const cell = (column: FitmentColumn) => cells[at[column] ?? -1] ?? ''
  const sku = skuOf(cell('sku'))
  const fitment = {
    positions: parsePositions(cell('positions')),
    quantity: parseQuantity(cell('quantity')),
    notes: parseTextField('notes', cell('notes'), 2_000).replace(/\r\n?/g, '\n') || null,
    qualifiers: parseQualifiers(cell('qualifiers')),
  }
  if (isUniversal(cell('universal'))) {
    const named = (['year', 'make', 'model', 'submodel', 'engine', 'vehicle_id'] as const).find((of) => cell(of).trim())
    if (named) throw new CsvFieldError(`is universal, and yet has a ${named}`)
    return { sku, vehicles: null, vehicleId: null, fitment }
  }
  const lacking = (['year', 'make', 'model'] as const).filter((of) => cell(of).trim() === '')
  if (lacking.length > 0) throw new CsvFieldError(`has no ${lacking.join(', no ')}, and is not universal`)
  const of = {
    market: parseNameField('market', cell('market'), 64) || market,
    make: parseNameField('make', cell('make')),
    model: parseNameField('model', cell('model')),
    submodel: parseNameField('submodel', cell('submodel')) || null,
    engine: parseNameField('engine', cell('engine')) || null,
  }
  const vehicles = parseYears(cell('year')).map((year) => ({ ...of, year }))
  const vehicleId = parseVehicleId(cell('vehicle_id'))
  if (vehicleId !== null && vehicles.length > 1)
    throw new CsvFieldError(`has one vehicle_id for ${vehicles.length} years: a vehicle is of one year`)
  return { sku, vehicles, vehicleId, fitment }
}

function skuOf(cell: string): string {
  const sku = parseTextField('sku', cell, 128)
  if (sku === '') throw new CsvFieldError('has no sku')
  if (sku === '.' || sku === '..' || /[\n\r\t]/.test(sku))
    throw new CsvFieldError(`sku ${quoteValue(sku)} cannot be one`)
  return sku
}
