import { type AcesFormat, createAcesFormat } from '../../fitment/aces/aces-format.ts'
import { NO_VEHICLE_NAMES, readVehicleNames, type VehicleNames } from '../../fitment/aces/vehicle-names.ts'
import { ImportReadError } from '../../imports/import-errors.ts'
import { openImportInput } from '../imports/import-input.ts'
import { UsageError } from '../usage-error.ts'

/** Creates the format of an ACES file. `vehicleFile`: the merchant's names of the ids in it. */
export async function openAcesFormat(market: string, vehicleFile: string | undefined): Promise<AcesFormat> {
  const names = vehicleFile === undefined ? NO_VEHICLE_NAMES : await readVehicleFile(vehicleFile)
  return createAcesFormat({ market, names })
}

async function readVehicleFile(file: string): Promise<VehicleNames> {
  if (file === '-') throw new UsageError('--vehicles takes a file, not standard input')
  try {
    return await readVehicleNames(openImportInput(file).stream)
  } catch (error) {
    if (error instanceof ImportReadError) throw new UsageError(`${file} line ${error.line}: ${error.message}`)
    throw error
  }
}
