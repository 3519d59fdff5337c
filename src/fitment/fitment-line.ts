import type { Fitment } from '../ports/vehicle.ts'
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

/** The content of one line: a SKU fits these vehicles, or all. */
export interface FitmentLine {
  sku: string
  /** `null`: the part is universal. */
  vehicles: NamedVehicle[] | null
  vehicleId: number | null
  fitment: Fitment
}

/** Parses one line. `market` is the default market. Throws CsvFieldError. */
export function parseFitmentLine(cells: readonly string[], { columns, width }: CsvHeader, market: string): FitmentLine {
  if (cells.length !== width) throw new CsvFieldError(`has ${cells.length} fields, but the header line has ${width}`)
  const cell = (column: FitmentColumn) => cells[columns[column] ?? -1] ?? ''
  const sku = parseSku(cell('sku'))
  const fitment = {
    positions: parsePositions(cell('positions')),
    quantity: parseQuantity(cell('quantity')),
    notes: parseTextField('notes', cell('notes'), 2_000).replace(/\r\n?/g, '\n') || null,
    qualifiers: parseQualifiers(cell('qualifiers')),
  }
  if (isUniversal(cell('universal'))) {
    const given = (['year', 'make', 'model', 'submodel', 'engine', 'vehicle_id'] as const).find((column) =>
      cell(column).trim(),
    )
    if (given) throw new CsvFieldError(`is universal, but has a ${given}`)
    return { sku, vehicles: null, vehicleId: null, fitment }
  }
  const missing = (['year', 'make', 'model'] as const).filter((column) => cell(column).trim() === '')
  if (missing.length > 0) throw new CsvFieldError(`has no ${missing.join(' and no ')}, and is not universal`)
  const vehicle = {
    market: parseNameField('market', cell('market'), 64) || market,
    make: parseNameField('make', cell('make')),
    model: parseNameField('model', cell('model')),
    submodel: parseNameField('submodel', cell('submodel')) || null,
    engine: parseNameField('engine', cell('engine')) || null,
  }
  const vehicles = parseYears(cell('year')).map((year) => ({ ...vehicle, year }))
  const vehicleId = parseVehicleId(cell('vehicle_id'))
  if (vehicleId !== null && vehicles.length > 1)
    throw new CsvFieldError(`has one vehicle_id for ${vehicles.length} years: an id identifies one vehicle of one year`)
  return { sku, vehicles, vehicleId, fitment }
}

function parseSku(cell: string): string {
  const sku = parseTextField('sku', cell, 128)
  if (sku === '') throw new CsvFieldError('has no sku')
  if (sku === '.' || sku === '..' || /[\n\r\t]/.test(sku))
    throw new CsvFieldError(`sku ${quoteValue(sku)} is not a valid SKU`)
  return sku
}
