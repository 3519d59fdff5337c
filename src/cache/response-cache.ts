import { createFairCache } from './fair-cache.ts'
import { createInvalidations, type Invalidations } from './invalidations.ts'
import { createRecentKeys } from './recent-keys.ts'
import { type ContentCoding, compressRepresentation, type Representation } from './representation.ts'

/** A response in every content coding that was requested so far. */
export interface CachedResponse {
  route: string
  /** Milliseconds since the epoch: it is fresh until then, and may be served until `staleUntil` while it is refreshed. */
  freshUntil: number
  staleUntil: number
  /** The Cache-Control header of a complete response to an anonymous read. */
  cacheControl: string
  complete: boolean
  /** The tags of the response. `version`: the version of the tenant's invalidations up to which none of these tags was invalidated. */
  tags: readonly string[]
  version: number
  plain: Representation
  /** The header Forecourt-Hint. */
  hint?: string | undefined
  compressed: { [C in Exclude<ContentCoding, 'identity'>]?: Representation | null }
  /** Assembles the response again. The new one replaces this one if it is complete. */
  refresh(): Promise<void>
  isRefreshing: boolean
}

export interface ResponseCache {
  get(tenantKey: string, key: string): CachedResponse | undefined
  /** Finds the response to an anonymous read by its exact URL, so that the fast path parses nothing. It sends no hint, so one with a hint is not found. */
  getByUrl(tenantKey: string, url: string): CachedResponse | undefined
  indexUrl(tenantKey: string, url: string, key: string): void
  /** The invalidations of a tenant's responses. */
  invalidations(tenantKey: string): Invalidations
  store(tenantKey: string, key: string, response: CachedResponse): void
  /** Returns whether this response was requested a short time before. */
  wasRequested(tenantKey: string, key: string): boolean
  /** Returns the response in that coding, or uncompressed if the coding gains nothing. It is compressed once, however many request it. */
  inCoding(tenantKey: string, key: string, response: CachedResponse, coding: ContentCoding): Promise<Representation>
  readonly bytes: number
}

const URL_SHARE = 0.1
/** Memory of one tag of a response. */
const TAG_BYTES = 48

export function createResponseCache(maxBytes: number): ResponseCache {
  const responses = createFairCache<CachedResponse>(maxBytes * (1 - URL_SHARE))
  const urls = createFairCache<string>(maxBytes * URL_SHARE)
  const changes = new Map<string, Invalidations>()
  const isRecent = createRecentKeys()
  const compressing = new Map<Representation, Map<ContentCoding, Promise<Representation | null>>>()

  function invalidationsOf(tenantKey: string): Invalidations {
    const known = changes.get(tenantKey) ?? createInvalidations()
    changes.set(tenantKey, known)
    return known
  }

  /** The cached response, unless one of its tags was invalidated after it was requested. */
  function current(tenantKey: string, key: string): CachedResponse | undefined {
    const response = responses.get(tenantKey, key)
    const changed = changes.get(tenantKey)
    if (response === undefined || changed === undefined || response.version === changed.version) return response
    if (response.tags.some((tag) => changed.isInvalidated(tag, response.version)))
      return void responses.delete(tenantKey, key)
    response.version = changed.version
    return response
  }

  function store(tenantKey: string, key: string, response: CachedResponse): void {
    let bytes = response.plain.bytes + response.tags.length * TAG_BYTES + (response.hint?.length ?? 0)
    for (const coded of [response.compressed.br, response.compressed.gzip]) bytes += coded?.bytes ?? 0
    responses.set(tenantKey, key, response, bytes)
  }

  function compressOnce(
    of: Representation,
    coding: Exclude<ContentCoding, 'identity'>,
  ): Promise<Representation | null> {
    const running = compressing.get(of) ?? new Map<ContentCoding, Promise<Representation | null>>()
    compressing.set(of, running)
    const existing = running.get(coding)
    if (existing) return existing
    const started = compressRepresentation(of, coding).finally(() => {
      running.delete(coding)
      if (running.size === 0) compressing.delete(of)
    })
    running.set(coding, started)
    return started
  }

  return {
    get: current,
    getByUrl(tenantKey, url) {
      const key = urls.get(tenantKey, url)
      const response = key === undefined ? undefined : current(tenantKey, key)
      return response?.hint === undefined ? response : undefined
    },
    invalidations: invalidationsOf,
    indexUrl(tenantKey, url, key) {
      if (url.length <= 2_048 && urls.get(tenantKey, url) !== key) urls.set(tenantKey, url, key, key.length * 2)
    },
    store,
    wasRequested: (tenantKey, key) => isRecent(tenantKey + key),
    async inCoding(tenantKey, key, response, coding) {
      if (coding === 'identity') return response.plain
      const known = response.compressed[coding]
      if (known !== undefined) return known ?? response.plain
      const made = await compressOnce(response.plain, coding)
      response.compressed[coding] = made
      if (responses.get(tenantKey, key) === response) store(tenantKey, key, response)
      return made ?? response.plain
    },
    get bytes() {
      return responses.bytes + urls.bytes
    },
  }
}

/** The Cache-Control header: a response that lacks a section, or holds one customer's prices, must not be stored. */
export const cacheControlOf = ({ complete, cacheControl }: CachedResponse, customerId: string | null) =>
  complete && customerId === null ? cacheControl : 'private, no-store'

/** `miss`: the response is too old to serve. */
export function cacheStatusOf(response: CachedResponse, now: number): 'hit' | 'stale' | 'miss' {
  if (now < response.freshUntil) return 'hit'
  return now < response.staleUntil ? 'stale' : 'miss'
}
