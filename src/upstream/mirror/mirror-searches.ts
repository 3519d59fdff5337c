import { LISTS_TAG } from '../../cache/invalidations.ts'
import { SearchQueueFullError } from '../../catalog/mirror/threads/search-queue-full-error.ts'
import type { SearchRequest } from '../../catalog/search/search-request.ts'
import { UpstreamError } from '../../errors.ts'
import type { ProductQuery } from '../../ports/inventory.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import { type LeaveListener, leaveError, type RequestScope } from '../request/request-scope.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import type { FilledPart, MirrorAccess } from './mirror-access.ts'
import type { MirrorPage } from './mirror-reader.ts'

/** Searches of a mirror in its thread. `null`: the systems must be asked. */
export interface MirrorSearches {
  search(request: SearchRequest, scope: RequestScope): Promise<LoadResult<MirrorPage> | null>
  /** Returns the ids of the products in the mirror. */
  searchIds(request: SearchRequest, scope: RequestScope): Promise<LoadResult<MirrorIdPage> | null>
  /** Runs a read in the thread. It rejects nothing: a failure is in the result. A response of `scope` is cached no longer than the read holds. */
  run<V extends object>(scope: RequestScope, start: StartSearch<V>): Promise<LoadResult<V> | null>
}

/** A page of a search of the mirror, as the ids of the products. */
export type MirrorIdPage = Omit<MirrorPage, 'skus'> & { ids: number[] }

type StartSearch<V> = (mirror: CatalogMirror, signal: AbortSignal) => Promise<V & { expiresInMs: number }>

export function createMirrorSearches(access: MirrorAccess, now: () => number): MirrorSearches {
  async function run<V extends object>(scope: RequestScope, start: StartSearch<V>): Promise<LoadResult<V> | null> {
    const filled = access.part('products', 'inventory', scope)
    const running = filled && access.read((mirror) => waitWithin(scope, (signal) => start(mirror, signal)))
    if (!filled || !running) return null
    scope.tags.add(LISTS_TAG)
    const startedAt = now()
    try {
      const { expiresInMs, ...found } = await running
      scope.limitCaching(startedAt + expiresInMs)
      return toMirrored(found as unknown as V, filled)
    } catch (thrown) {
      const error = toSearchError(thrown)
      if (error) return { value: null, error, asOf: 0, system: 'inventory' }
      access.recordFailure(thrown)
      return null
    }
  }

  const searchIds: MirrorSearches['searchIds'] = (request, scope) =>
    run(scope, async (mirror, signal) => {
      const page = await mirror.search(request, signal)
      return { ...page, newest: 0, has_more: request.offset + page.ids.length < page.total }
    })

  return {
    run,
    searchIds,
    async search(request, scope) {
      const found = await searchIds(request, scope)
      if (!found?.value) return found && { ...found, value: null }
      const { ids, ...page } = found.value
      const skus = access.read((mirror) => mirror.skusOf(ids))
      return skus && { ...found, value: { ...page, skus } }
    },
  }
}

/** A value of the mirror, with the age of its products. */
export const toMirrored = <V>(value: V | null, { asOf, error }: FilledPart): LoadResult<V> => ({
  value,
  error: value === null ? null : error,
  asOf,
  system: 'inventory',
  mirrored: true,
})

/** Waits until the request leaves, which aborts the search. */
function waitWithin<V>(scope: RequestScope, start: (signal: AbortSignal) => Promise<V>): Promise<V> {
  const abandoned = new AbortController()
  return new Promise((resolve, reject) => {
    const onLeave: LeaveListener = (outOfTime) => {
      reject(leaveError('inventory', outOfTime))
      abandoned.abort()
    }
    scope.onLeave(onLeave)
    if (abandoned.signal.aborted) return
    start(abandoned.signal)
      .then(resolve, reject)
      .finally(() => scope.offLeave(onLeave))
  })
}

/** Returns the error of a search that was refused or abandoned; `null`: the file could not be read. */
function toSearchError(thrown: unknown): UpstreamError | null {
  if (thrown instanceof UpstreamError) return thrown
  if (!(thrown instanceof SearchQueueFullError)) return null
  const { message } = thrown
  return new UpstreamError('overloaded', message, { summary: message, system: 'inventory', retryAfterMs: 1_000 })
}

/** Returns the request of a query that a mirror can answer; `null`: a sync, which is in another order. */
export function toMirrorRequest(query: ProductQuery): SearchRequest | null {
  const { q, category, tag, skus, vehicle_id, updated_since, limit, offset } = query
  if (updated_since !== undefined) return null
  return {
    limit,
    offset,
    ...(q?.trim() && { q }),
    ...(category !== undefined && { categories: [category] }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(skus && { skus }),
    ...(vehicle_id !== undefined && { vehicleId: vehicle_id }),
  }
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

/** Returns the query of a request that an inventory can answer too; `null`: only a mirror has such filters, orders and facets. */
export function toProductQuery(request: SearchRequest): ProductQuery | null {
  const { q, categories, tags, skus, vehicleId, limit, offset, customerId: _, ...others } = request
  const isSimple = Object.values(others).every(
    (value) => value === undefined || value === 'relevance' || isEmpty(value),
  )
  if (!isSimple || (categories?.length ?? 0) > 1 || (tags?.length ?? 0) > 1) return null
  return {
    limit,
    offset,
    ...(q !== undefined && { q }),
    ...(categories?.[0] !== undefined && { category: categories[0] }),
    ...(tags?.[0] !== undefined && { tag: tags[0] }),
    ...(skus && { skus }),
    ...(vehicleId !== undefined && { vehicle_id: vehicleId }),
  }
}
