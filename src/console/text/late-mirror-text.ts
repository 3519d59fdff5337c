import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import { capitalize } from './capitalize.ts'
import { formatDuration } from './format-durations.ts'
import type { DisplayTime } from './format-times.ts'

export interface OldPart {
  name: CatalogPartName
  /** Shoppers see the state of then. */
  asOf: number
}

/** What of a mirror is out of date. */
export interface LateMirrorFacts {
  /** Parts that are older than their merchant allows. */
  oldParts: OldPart[]
  maxAgeMs: number
  /** Why it cannot follow the store; `null`: it follows. */
  failure: { message: string; since: number } | null
}

/** Says from when the parts are that shoppers see, and why, one sentence each. */
export function describeLateMirror(
  { oldParts, maxAgeMs, failure }: LateMirrorFacts,
  toTime: (at: number) => DisplayTime,
): string[] {
  const byTime = Map.groupBy(oldParts, ({ asOf }) => asOf)
  const parts = [...byTime].map(([asOf, group]) => {
    const names = group.map(({ name }) => name).join(', ')
    return `${capitalize(names)} of ${toTime(asOf).text}, too old since ${toTime(asOf + maxAgeMs).text} (the limit is ${formatDuration(maxAgeMs)}).`
  })
  const rest =
    failure &&
    `${oldParts.length > 0 ? 'All else' : 'All'} of ${toTime(failure.since).text}, when this machine could follow Forecourt’s database last (${failure.message}).`
  return rest ? [...parts, rest] : parts
}
