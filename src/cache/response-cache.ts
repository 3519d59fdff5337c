import { createFairCache } from './fair-cache.ts'
import { createInvalidations, type Invalidations } from './invalidation.ts'
import { type ContentCoding, compressRepresentation, type Representation } from './representation.ts'

/** How long an answer is served: as it is, then while it is made anew behind the answers. Its sections have longer lives of their own. */
export interface FreshnessPolicy {
  freshMs: number
  staleMs: number
  /** What readers are told. */
  cacheControl: string
}

export const freshnessPolicies = {
  catalog: { freshMs: 10_000, staleMs: 60_000, cacheControl: 'private, max-age=60, stale-while-revalidate=300' },
  availability: { freshMs: 5_000, staleMs: 10_000, cacheControl: 'private, max-age=10, stale-while-revalidate=30' },
} as const satisfies Record<string, FreshnessPolicy>

/** An answer in every coding that was asked for so far. */
export interface CachedResponse {
  route: string
  policy: FreshnessPolicy
  complete: boolean
  storedAt: number
  /** What it is made of, and the version of the owner's expiries up to which none of that has changed. */
  tags: readonly string[]
  version: number
  plain: Representation
  compressed: { [C in Exclude<ContentCoding, 'identity'>]?: Representation | null }
  /** Assembles the answer anew; the new one takes this one's place when it is whole. */
  refresh(): Promise<void>
  isRefreshing: boolean
}

export interface ResponseCache {
  get(owner: string, key: string): CachedResponse | undefined
  /** By the exact URL of an anonymous read that was answered before, so that the hot path needs no parsing. */
  getByUrl(owner: string, url: string): CachedResponse | undefined
  indexUrl(owner: string, url: string, key: string): void
  /** What has changed behind the answers of an owner. */
  invalidations(owner: string): Invalidations
  store(owner: string, key: string, answer: CachedResponse): void
  /** The answer in that coding, or plain where the coding gains nothing; compressed once, however many ask. */
  inCoding(owner: string, key: string, answer: CachedResponse, coding: ContentCoding): Promise<Representation>
  readonly bytes: number
}

const URL_SHARE = 0.1
/** What one tag of an answer costs. */
const TAG_BYTES = 48

export function createResponseCache(maxBytes: number): ResponseCache {
  const answers = createFairCache<CachedResponse>(maxBytes * (1 - URL_SHARE))
  const urls = createFairCache<string>(maxBytes * URL_SHARE)
  const changes = new Map<string, Invalidations>()
  const compressing = new Map<Representation, Map<ContentCoding, Promise<Representation | null>>>()

  function expiries(owner: string): Invalidations {
    const known = changes.get(owner) ?? createInvalidations()
    changes.set(owner, known)
    return known
  }

  /** Unless a part of it has changed since it was asked for. */
  function current(owner: string, key: string): CachedResponse | undefined {
    const answer = answers.get(owner, key)
    const changed = changes.get(owner)
    if (answer === undefined || changed === undefined || answer.version === changed.version) return answer
    if (answer.tags.some((tag) => changed.isInvalidated(tag, answer.version))) return void answers.delete(owner, key)
    answer.version = changed.version
    return answer
  }

  function keep(owner: string, key: string, answer: CachedResponse): void {
    let bytes = answer.plain.bytes + answer.tags.length * TAG_BYTES
    for (const coded of [answer.compressed.br, answer.compressed.gzip]) bytes += coded?.bytes ?? 0
    answers.set(owner, key, answer, bytes)
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
    getByUrl(owner, url) {
      const key = urls.get(owner, url)
      return key === undefined ? undefined : current(owner, key)
    },
    invalidations: expiries,
    indexUrl(owner, url, key) {
      if (url.length <= 2_048 && urls.get(owner, url) !== key) urls.set(owner, url, key, key.length * 2)
    },
    store: keep,
    async inCoding(owner, key, answer, coding) {
      if (coding === 'identity') return answer.plain
      const known = answer.compressed[coding]
      if (known !== undefined) return known ?? answer.plain
      const made = await compressOnce(answer.plain, coding)
      answer.compressed[coding] = made
      if (answers.get(owner, key) === answer) keep(owner, key, answer)
      return made ?? answer.plain
    },
    get bytes() {
      return answers.bytes + urls.bytes
    },
  }
}

/** What a reader may do with it: one that lacks a section, or is one customer's own, is not to be kept. */
export const cacheControlOf = ({ complete, policy: keeping }: CachedResponse, customerId: string | null) =>
  complete && customerId === null ? keeping.cacheControl : 'private, no-store'

/** Age against the keeping: `miss` is too old to serve. */
export function cacheStatusOf(answer: CachedResponse, now: number): 'hit' | 'stale' | 'miss' {
  const ageMs = now - answer.storedAt
  if (ageMs < answer.policy.freshMs) return 'hit'
  return ageMs < answer.policy.freshMs + answer.policy.staleMs ? 'stale' : 'miss'
}
