import { LISTS_TAG } from '../../cache/invalidations.ts'
import { sectionFreshnessLimits } from '../read-stack/section-freshness-limits.ts'
import type { ReaderParts } from './reader-parts.ts'

/** The batch options of a read whose parameters are its key: every query is a call of its own. */
export const singleQuery = <Q>() => ({ windowMs: 0, maxKeys: 1, idOf: (query: Q) => JSON.stringify(query) })

/** The options of a query of lists, facets or vehicles. */
export const queryOptions = <Q>({ tenantKey, cache, now, invalidations }: ReaderParts) => ({
  ...singleQuery<Q>(),
  tenantKey,
  cache,
  now,
  freshnessOf: () => sectionFreshnessLimits.query,
  invalidation: { invalidations, tagOf: () => LISTS_TAG },
})

/** The result of a batch of one query; `null`: there is no such thing. */
export const queryResult = <Q, V>(query: Q, value: V | null): Map<string, V> =>
  new Map(value === null ? [] : [[JSON.stringify(query), value]])
