import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { StoreOutage } from '../../storage/store-monitor.ts'
import { capitalize } from './capitalize.ts'
import { formatDuration } from './format-durations.ts'
import type { DisplayTime } from './format-times.ts'
import { describeStoreOutage, STORE_NAME } from './store-outage-text.ts'

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

/** One cause why a mirror is not current: some parts are older than their limit, or it is not updated from the store. */
export interface LateMirrorCause {
  kind: 'out of date' | 'not updated'
  /** Milliseconds since the epoch: when it made the mirror late. */
  since: number
  text: string
}

/** Says from when the parts are that shoppers see, since when they are out of date, and whether the database is followed and works itself. */
export function describeLateMirror(
  { oldParts, maxAgeMs, failure }: LateMirrorFacts,
  storeOutage: StoreOutage | null,
  toTime: (at: number) => DisplayTime,
): LateMirrorCause[] {
  const byTime = Map.groupBy(oldParts, ({ asOf }) => asOf)
  const unknown = failure
    ? ` Whether newer values have been read since ${toTime(failure.since).text} is not known on this machine.`
    : ''
  const parts = [...byTime].map(([asOf, group]) => {
    const names = group.map(({ name }) => name)
    const since = asOf + maxAgeMs
    const text = `${describePartsOf(names, toTime(asOf).text)}, and out of date since ${toTime(since).text} (older than ${formatDuration(maxAgeMs)}).${unknown}`
    return { kind: 'out of date' as const, since, text }
  })
  if (!failure) return parts
  const names = oldParts.map(({ name }) => name)
  const rest = names.length > 0 ? `All parts but ${listFormat.format(names)}` : 'All parts'
  const text = `${describeFollowing(failure, toTime)}. ${rest} are of that time. ${describeStoreOfMirror(storeOutage, toTime)}`
  return [...parts, { kind: 'not updated', since: failure.since, text }]
}

/** Says whether the store itself fails, which a mirror does not follow. */
export function describeStoreOfMirror(outage: StoreOutage | null, toTime: (at: number) => DisplayTime): string {
  return outage
    ? `${describeStoreOutage(outage, toTime(outage.beganAt))} That outage is an incident: Now says what shoppers lack.`
    : `An update reads ${STORE_NAME} and writes the mirror’s own file: which of the two has this error is not recorded. No outage of ${STORE_NAME} itself is known to this server. Sign-in, carts, checkout and orders use the database, not the mirror. A mirror that is not current is no incident by itself: one begins when a response to a request has a part that is older than its maximum age.`
}

/** Says since when a mirror is not updated, and why. The message does not tell whether the store or the mirror's file gave it. */
export const describeFollowing = (
  { since, message }: NonNullable<LateMirrorFacts['failure']>,
  toTime: (at: number) => DisplayTime,
): string => `The mirror has not been updated from ${STORE_NAME} since ${toTime(since).text} (${message})`
