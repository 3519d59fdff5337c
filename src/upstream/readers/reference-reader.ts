import { REFERENCES_TAG } from '../../cache/invalidations.ts'
import { NO_REFERENCES, type NumberMatch, type ReferencePort, type SkuReferences } from '../../ports/reference.ts'
import type { CallRunner } from '../guard/store-read-runner.ts'
import type { CachedLoader, LoadResult } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { sectionFreshnessLimits } from '../read-stack/section-freshness-limits.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { RequestScope } from '../request/request-scope.ts'
import { queryOptions, queryResult } from './query-batch-options.ts'
import type { ReaderParts } from './reader-parts.ts'

export interface ReferenceReaderParts extends ReaderParts {
  references: { port: ReferencePort; runner: CallRunner } | undefined
}

/** The numbers of products. With a customer, they include that customer's own: no two customers share a cached value. */
export interface ReferenceReader {
  /** `null`: the merchant has no references, which is known without a look at the store. */
  references(sku: string, customerId: string | null, scope: RequestScope): Promise<LoadResult<SkuReferences>> | null
  /** The products that have a normalized number. */
  productsByNumber(number: string, customerId: string | null, scope: RequestScope): Promise<LoadResult<NumberMatch[]>>
}

interface ImportedKey {
  importId: number
  text: string
}

/** How long a merchant without references is known to have none, unless there is an import. */
const NOTHING_MS = 60_000

export function createReferenceReader(parts: ReferenceReaderParts): ReferenceReader & { detachInFlight(): void } {
  const { references, invalidations, now } = parts
  if (!references) return { ...NOTHING_IMPORTED, detachInFlight() {} }
  const { port, runner } = references

  function createLoader<Q, V>(operation: string, read: (query: Q, group: string) => Promise<V>): CachedLoader<Q, V> {
    return createReadStack<Q, V>({
      ...queryOptions<Q>(parts),
      freshnessOf: () => sectionFreshnessLimits.references,
      invalidation: { invalidations, tagOf: () => REFERENCES_TAG },
      system: 'references',
      name: `references.${operation}`,
      call: (group, [query], { requestId, recorder }) =>
        runner.run({
          requestId,
          recorder,
          operation,
          priority: 'catalog',
          read: true,
          work: async () => queryResult(query!, await read(query!, group)),
        }),
    })
  }

  const customerOf = (group: string) => (group === EVERYBODY ? null : group)
  // The id is cached, also while nothing is imported: the pages of a merchant without references never read the store.
  const current = createLoader<null, number>('current', () => port.currentImport())
  const bySku = createLoader<ImportedKey, SkuReferences>('sku', ({ importId, text }, group) =>
    port.ofSku(importId, text, customerOf(group)),
  )
  const byNumber = createLoader<ImportedKey, NumberMatch[]>('number', ({ importId, text }, group) =>
    port.byNumber(importId, text, customerOf(group)),
  )

  /** The last time at which there was no import, and the version of the invalidations at that time. */
  let nothing = { at: Number.NEGATIVE_INFINITY, version: 0 }
  const isNothing = () =>
    now() - nothing.at < NOTHING_MS && !invalidations.isInvalidated(REFERENCES_TAG, nothing.version)

  async function load<V>(
    loader: CachedLoader<ImportedKey, V>,
    { text, customerId, none }: { text: string; customerId: string | null; none: V },
    scope: RequestScope,
  ): Promise<LoadResult<V>> {
    const { version } = invalidations
    const { value: importId, error, asOf, system } = await current.loadOne(EVERYBODY, null, scope)
    if (importId === 0 && error === null) nothing = { at: now(), version }
    if (importId) return loader.loadOne(customerId ?? EVERYBODY, { importId, text }, scope)
    // A merchant that had nothing imported has nothing while the store is down, either.
    return importId === 0 ? toNothing(none) : { value: null, error, asOf, ...(system && { system }) }
  }

  return {
    references(sku, customerId, scope) {
      if (!isNothing() || scope.faults.references)
        return load(bySku, { text: sku, customerId, none: NO_REFERENCES }, scope)
      scope.tags.add(REFERENCES_TAG)
      return null
    },
    productsByNumber: (number, customerId, scope) => load(byNumber, { text: number, customerId, none: [] }, scope),
    detachInFlight() {
      for (const loader of [current, bySku, byNumber]) loader.detachInFlight()
    },
  }
}

const toNothing = <V>(value: V): LoadResult<V> => ({ value, error: null, asOf: 0, system: 'references' })

const NOTHING_IMPORTED: ReferenceReader = {
  references: () => null,
  productsByNumber: async () => toNothing<NumberMatch[]>([]),
}
