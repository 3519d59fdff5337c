import type { Fitment } from '../../../ports/sku-fitments.ts'
import type { SharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorRow } from '../file/mirror-row.ts'

/** The fitment of a product as the file has it, with ids of shared values instead of details. */
export interface StoredFitment {
  /** 0: none. */
  universalDetails: number
  runs: readonly (readonly number[])[]
}

export const NO_STORED_FITMENT: StoredFitment = { universalDetails: 0, runs: [] }
/** Vehicles without details. */
const NO_FIT_DETAILS = 0

/** Returns the fitment of a row. */
export function toStoredFitment({ fitment, vehicles }: MirrorRow, { idOf }: SharedValueWriter): StoredFitment {
  if (!fitment)
    return vehicles.length === 0 ? NO_STORED_FITMENT : { ...NO_STORED_FITMENT, runs: [[NO_FIT_DETAILS, ...vehicles]] }
  const details = fitment.details.map((one: Fitment) => idOf(one))
  return {
    universalDetails: fitment.universal === null ? NO_FIT_DETAILS : idOf(fitment.universal),
    runs: fitment.runs.map(([index, ...ids]) => [details[index!]!, ...ids]),
  }
}
