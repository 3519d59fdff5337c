import type { Fitment } from '../../ports/vehicle.ts'
import type { MirrorRow } from './mirror-row.ts'
import type { MirrorStatements } from './mirror-statements.ts'
import { vehiclesOfRuns } from './product-fitment.ts'

/** The fitment of a product as the file has it, with rows of `fit_details` instead of details. */
export interface Fits {
  /** 0: none. */
  universalDetails: number
  runs: readonly (readonly number[])[]
}

export const NO_FITS: Fits = { universalDetails: 0, runs: [] }
/** Vehicles without details. */
const NO_FIT_DETAILS = 0

/** Returns the fitment of a row, and adds details that the file does not have yet. */
export function readFits(statements: MirrorStatements, { fitment, vehicles }: MirrorRow): Fits {
  if (!fitment) return vehicles.length === 0 ? NO_FITS : { ...NO_FITS, runs: [[NO_FIT_DETAILS, ...vehicles]] }
  const details = fitment.details.map((one) => findDetails(statements, one))
  return {
    universalDetails: fitment.universal === null ? NO_FIT_DETAILS : findDetails(statements, fitment.universal),
    runs: fitment.runs.map(([index, ...ids]) => [details[index!]!, ...ids]),
  }
}

/** Writes the vehicles of a product that has the id `id`. */
export function writeFits(
  statements: MirrorStatements,
  id: number,
  runs: Fits['runs'],
  stored?: { vehicles: string },
): void {
  if (stored?.vehicles === JSON.stringify(runs)) return
  const gone = new Set(vehiclesOfRuns(JSON.parse(stored?.vehicles ?? '[]')))
  for (const [details, ...vehicles] of runs)
    for (const vehicle of vehicles) {
      gone.delete(vehicle)
      statements.putFit.run(vehicle, id, details!)
    }
  for (const vehicle of gone) statements.removeFit.run(vehicle, id)
}

/** Most products share their details: a catalog has some thousand different ones. */
function findDetails(statements: MirrorStatements, fitment: Fitment): number {
  const text = JSON.stringify(fitment)
  const found = statements.fitDetails.get(text) as { details: number } | undefined
  return found ? found.details : Number(statements.addFitDetails.run(text).lastInsertRowid)
}
