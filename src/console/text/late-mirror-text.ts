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

const listFormat = new Intl.ListFormat('en')

/** Names catalog parts as the subject of a sentence: all of them are plural or mass nouns but stock. */
export const describePartsOf = (parts: readonly string[], time: string): string =>
  `${capitalize(listFormat.format(parts))} ${parts.length === 1 && parts[0] === 'stock' ? 'is' : 'are'} of ${time}`

/** Says from when the parts are that shoppers see, since when they are out of date, and whether the database is followed: one sentence each. */
export function describeLateMirror(
  { oldParts, maxAgeMs, failure }: LateMirrorFacts,
  toTime: (at: number) => DisplayTime,
): string[] {
  const byTime = Map.groupBy(oldParts, ({ asOf }) => asOf)
  const parts = [...byTime].map(([asOf, group]) => {
    const names = group.map(({ name }) => name)
    const since = toTime(asOf + maxAgeMs).text
    return `${describePartsOf(names, toTime(asOf).text)}, and out of date since ${since} (older than ${formatDuration(maxAgeMs)}).`
  })
  if (!failure) return parts
  const rest = oldParts.length > 0 ? 'all else' : 'all'
  return [...parts, `${describeFollowing(failure, toTime)}: ${rest} is of that time.`]
}

/** Says since when a mirror does not follow the database, and why. */
export const describeFollowing = (
  { since, message }: NonNullable<LateMirrorFacts['failure']>,
  toTime: (at: number) => DisplayTime,
): string => `Forecourt’s database has not been followed since ${toTime(since).text} (${message})`
