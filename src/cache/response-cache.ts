import { createExpiries, type Expiries } from './invalidation.ts'
import { createFairCache } from './fair-cache.ts'
import { type Coding, encoded, type Representation } from './representation.ts'

/** How long an answer is served: as it is, then while it is made anew behind the answers. Its sections have longer lives of their own. */
export interface Keeping {
  freshMs: number
  staleMs: number
  /** What readers are told. */
  cacheControl: string
}

export const keepings = {
  catalog: { freshMs: 10_000, staleMs: 60_000, cacheControl: 'private, max-age=60, stale-while-revalidate=300' },
  availability: { freshMs: 5_000, staleMs: 10_000, cacheControl: 'private, max-age=10, stale-while-revalidate=30' },
} as const satisfies Record<string, Keeping>

/** An answer in every coding that was asked for so far. */
export interface KeptAnswer {
  route: string
  keeping: Keeping
  complete: boolean
  storedAt: number
  /** What it is made of, and the version of the owner's expiries up to which none of that has changed. */
  tags: readonly string[]
  version: number
  plain: Representation
  coded: { [C in Exclude<Coding, 'identity'>]?: Representation | null }
  /** Assembles the answer anew; the new one takes this one's place when it is whole. */
  renew(): Promise<void>
  renewing: boolean
}

export interface ResponseCache {
  get(owner: string, key: string): KeptAnswer | undefined
  /** By the exact URL of an anonymous read that was answered before, so that the hot path needs no parsing. */
  atUrl(owner: string, url: string): KeptAnswer | undefined
  remember(owner: string, url: string, key: string): void
  /** What has changed behind the answers of an owner. */
  expiries(owner: string): Expiries
  keep(owner: string, key: string, answer: KeptAnswer): void
  /** The answer in that coding, or plain where the coding gains nothing; compressed once, however many ask. */
  inCoding(owner: string, key: string, answer: KeptAnswer, coding: Coding): Promise<Representation>
  readonly bytes: number
}

const URL_SHARE = 0.1
/** What one tag of an answer costs. */
const TAG_BYTES = 48

export function createResponseCache(maxBytes: number): ResponseCache {
  const answers = createFairCache<KeptAnswer>(maxBytes * (1 - URL_SHARE))
  const urls = createFairCache<string>(maxBytes * URL_SHARE)
  const changes = new Map<string, Expiries>()
  const compressing = new Map<Representation, Map<Coding, Promise<Representation | null>>>()

  function expiries(owner: string): Expiries {
    const known = changes.get(owner) ?? createExpiries()
    changes.set(owner, known)
    return known
  }

  /** Unless a part of it has changed since it was asked for. */
  function current(owner: string, key: string): KeptAnswer | undefined {
    const answer = answers.get(owner, key)
    const changed = changes.get(owner)
    if (answer === undefined || changed === undefined || answer.version === changed.version) return answer
    if (answer.tags.some((tag) => changed.isExpired(tag, answer.version))) return void answers.delete(owner, key)
    answer.version = changed.version
    return answer
  }

  function keep(owner: string, key: string, answer: KeptAnswer): void {
    let bytes = answer.plain.bytes + answer.tags.length * TAG_BYTES
    for (const coded of [answer.coded.br, answer.coded.gzip]) bytes += coded?.bytes ?? 0
    answers.set(owner, key, answer, bytes)
  }

  function compressOnce(of: Representation, coding: Exclude<Coding, 'identity'>): Promise<Representation | null> {
    const running = compressing.get(of) ?? new Map<Coding, Promise<Representation | null>>()
    compressing.set(of, running)
    const existing = running.get(coding)
    if (existing) return existing
    const started = encoded(of, coding).finally(() => {
      running.delete(coding)
      if (running.size === 0) compressing.delete(of)
    })
    running.set(coding, started)
    return started
  }

  return {
    get: current,
    atUrl(owner, url) {
      const key = urls.get(owner, url)
      return key === undefined ? undefined : current(owner, key)
    },
    expiries,
    remember(owner, url, key) {
      if (url.length <= 2_048 && urls.get(owner, url) !== key) urls.set(owner, url, key, key.length * 2)
    },
    keep,
    async inCoding(owner, key, answer, coding) {
      if (coding === 'identity') return answer.plain
      const known = answer.coded[coding]
      if (known !== undefined) return known ?? answer.plain
      const made = await compressOnce(answer.plain, coding)
      answer.coded[coding] = made
      if (answers.get(owner, key) === answer) keep(owner, key, answer)
      return made ?? answer.plain
    },
    get bytes() {
      return answers.bytes + urls.bytes
    },
  }
}

/** What a reader may do with it: one that lacks a section, or is one customer's own, is not to be kept. */
export const cacheControlOf = ({ complete, keeping }: KeptAnswer, customerId: string | null) =>
  complete && customerId === null ? keeping.cacheControl : 'private, no-store'

/** Age against the keeping: `miss` is too old to serve. */
export function freshnessOf(answer: KeptAnswer, now: number): 'hit' | 'stale' | 'miss' {
  const ageMs = now - answer.storedAt
  if (ageMs < answer.keeping.freshMs) return 'hit'
  return ageMs < answer.keeping.freshMs + answer.keeping.staleMs ? 'stale' : 'miss'
}
