import type { ChangeJobContext } from './change-job.ts'

/** SKUs whose cached copies are out of date. `others`: only prices or stock have changed. */
export interface SkusToInvalidate {
  details: string[]
  others: string[]
  /** The number of products that were added or changed in the store's catalog. */
  copied?: number
}

export const noSkusToInvalidate: SkusToInvalidate = { details: [], others: [] }

export const joinSkusToInvalidate = (all: readonly SkusToInvalidate[]): SkusToInvalidate => ({
  details: all.flatMap(({ details }) => details),
  others: all.flatMap(({ others }) => others),
  copied: all.reduce((sum, { copied = 0 }) => sum + copied, 0),
})

/** Runs right after the transaction, before its events are delivered. */
export function invalidateSkus(
  { tenant, onChanged, parts }: ChangeJobContext,
  { details, others, copied = 0 }: SkusToInvalidate,
): void {
  parts.addProductChanges(copied)
  if (details.length > 0) onChanged(tenant, details, { details: true })
  if (others.length > 0) onChanged(tenant, others, { details: false })
}
