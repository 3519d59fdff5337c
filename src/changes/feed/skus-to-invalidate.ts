import type { ChangeJobContext } from './change-job.ts'

/** SKUs whose cached copies are out of date. `others`: only prices or stock have changed. */
export interface StaleSkus {
  details: string[]
  others: string[]
  /** The number of products that were added or changed in the store's catalog. */
  copied?: number
}

export const noStaleSkus: StaleSkus = { details: [], others: [] }

export const joinStaleSkus = (all: readonly StaleSkus[]): StaleSkus => ({
  details: all.flatMap(({ details }) => details),
  others: all.flatMap(({ others }) => others),
  copied: all.reduce((sum, { copied = 0 }) => sum + copied, 0),
})

/** Runs right after the transaction, before its events are delivered. */
export function invalidateStaleSkus(
  { tenant, onChanged, parts }: ChangeJobContext,
  { details, others, copied = 0 }: StaleSkus,
): void {
  parts.addProductChanges(copied)
  if (details.length > 0) onChanged(tenant, details, { details: true })
  if (others.length > 0) onChanged(tenant, others, { details: false })
}
