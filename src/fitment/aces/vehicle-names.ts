import { createCsvFormat } from '../../imports/csv-format.ts'
import type { CsvColumns } from '../../imports/csv-header.ts'
import { ImportFieldError, ImportReadError } from '../../imports/import-errors.ts'
import { quoteValue } from '../../imports/quote-value.ts'
import { parseNameField } from '../../imports/text-fields.ts'
import { parseYears } from '../csv-fields.ts'

export interface BaseVehicle {
  year: number
  make: string
  model: string
}

/** The meaning of the ids in a merchant's ACES files. The databases of these ids are licensed: the merchant brings its own copy. */
export interface VehicleNames {
  baseVehicle(id: string): BaseVehicle | null
  /** The name of an id of any other element: Make, SubModel, EngineBase, Position … */
  nameOf(element: string, id: string): string | null
}

export const NO_VEHICLE_NAMES: VehicleNames = { baseVehicle: () => null, nameOf: () => null }

const columnNames = ['element', 'id', 'year', 'make', 'model', 'name'] as const
type VehicleNameColumn = (typeof columnNames)[number]

export const vehicleNameColumns: CsvColumns<VehicleNameColumn> = {
  names: columnNames,
  aliases: { base_vehicle_id: 'id', basevehicleid: 'id', base_vehicle: 'id', year_id: 'year' },
  findMistake: (hasColumn) => (hasColumn('id') ? null : 'the header line has no column id'),
}

/** Reads the vehicle file: a line for each id. Throws ImportReadError for its first mistake. */
export async function readVehicleNames(bytes: AsyncIterable<Uint8Array>): Promise<VehicleNames> {
  const baseVehicles = new Map<string, BaseVehicle>()
  const names = new Map<string, string>()
  const format = createCsvFormat(vehicleNameColumns, (cell) => {
    const element = parseNameField('element', cell('element'), 64) || 'BaseVehicle'
    const id = parseNameField('id', cell('id'), 64)
    if (id === '') throw new ImportFieldError('has no id')
    if (element === 'BaseVehicle') baseVehicles.set(id, parseBaseVehicle(cell))
    else names.set(`${element} ${id}`, parseName(element, cell('name')))
  })
  for await (const { line, parse } of format.read(bytes)) {
    try {
      parse()
    } catch (error) {
      throw error instanceof ImportFieldError ? new ImportReadError(line, error.message) : error
    }
  }
  return {
    baseVehicle: (id) => baseVehicles.get(id) ?? null,
    nameOf: (element, id) => names.get(`${element} ${id}`) ?? null,
  }
}

function parseBaseVehicle(cell: (column: VehicleNameColumn) => string): BaseVehicle {
  const [make, model] = [parseNameField('make', cell('make')), parseNameField('model', cell('model'))]
  const years = parseYears(cell('year'))
  if (years.length > 1) throw new ImportFieldError(`year ${quoteValue(cell('year'))} is not one year`)
  if (make === '' || model === '') throw new ImportFieldError('has no make or no model')
  return { year: years[0]!, make, model }
}

function parseName(element: string, cell: string): string {
  const name = parseNameField('name', cell, 128).replaceAll('|', '/')
  if (name === '') throw new ImportFieldError(`has no name for ${element}`)
  return name
}
