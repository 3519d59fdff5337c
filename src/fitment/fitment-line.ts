import { ImportFieldError } from '../imports/import-errors.ts'
import { parseNameField, parseSkuField, parseTextField } from '../imports/text-fields.ts'
import type { Fitment } from '../ports/sku-fitments.ts'
import type { FitmentColumn } from './csv-columns.ts'
import {
  isUniversal,
  parsePositions,
  parseQualifiers,
  parseQuantity,
  parseVehicleId,
  parseYears,
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

/** Parses one line. `market` is the default market. Throws ImportFieldError. */
export function parseFitmentLine(cell: (column: FitmentColumn) => string, market: string): FitmentLine {
  const sku = parseSkuField(cell('sku'))
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
    if (given) throw new ImportFieldError(`is universal, but has a ${given}`)
    return { sku, vehicles: null, vehicleId: null, fitment }
  }
  const missing = (['year', 'make', 'model'] as const).filter((column) => cell(column).trim() === '')
  if (missing.length > 0) throw new ImportFieldError(`has no ${missing.join(' and no ')}, and is not universal`)
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
    throw new ImportFieldError(
      `has one vehicle_id for ${vehicles.length} years: an id identifies one vehicle of one year`,
    )
  return { sku, vehicles, vehicleId, fitment }
}
