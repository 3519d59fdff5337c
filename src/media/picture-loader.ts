import { LRUCache } from 'lru-cache'
import { Problem, UpstreamError } from '../errors.ts'
import { type Asking, createAsking } from '../upstream/request-scope.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import { fileIdOf, type PictureName, type Size } from './picture-url-signer.ts'
import type { Derivatives, Derive } from './picture-resizer.ts'
import type { Kept } from './picture-file.ts'
import { createLines } from './picture-queues.ts'
import type { Links } from './picture-link-client.ts'
import type { Shelf } from './disk-cache.ts'

export interface PicturesParts {
  shelf: Shelf
  derive: Derive
  links: Pick<Links, 'read'>
  officeOf(name: PictureName): Pick<BackOffice, 'picture'> | null
  now: () => number
  /** Told of each picture that could not be made, once for as long as that is remembered: the name for whoever mends it. */
  onFailure(name: PictureName, error: UpstreamError): void
  /** How long one asker waits, in line and for the making. */
  waitMs?: number
}

export interface Served extends Kept {
  outcome: 'kept' | 'made'
}

export interface PictureAsker {
  requestId: string
  /** What was asked of the back office for it is put there, alone or together with others. */
  calls: Set<CallTrace>
}

export interface Pictures extends AsyncDisposable {
  /** Rejects with UpstreamError, and with Problem('not_found') when the back office has no such picture, or another by now. */
  picture(name: PictureName, size: Size, asker: PictureAsker): Promise<Served>
}

type Made = Record<Size, Kept>

interface Making {
  made: Promise<Made>
  asking: Asking
}

const WAIT_MS = 10_000
/** Of an asker's time, what is left for coding once the original is there. */
const CODING_SHARE = 0.1
/** The original of one: from the back office, and from behind a link. */
const FETCH_MS = 8_000
/** Of one merchant and mode. */
const FETCHED_AT_ONCE = 2
const LONGEST_LINE = 100
/** A picture that cannot be shown is looked at again after this … */
const UNREADABLE_MS = 60_000
/** … and one that could not be had after this. */
const FAILED_MS = 5_000
const REMEMBERED = 10_000
const DRAIN_MS = 2_000

/** Originals made into what is served: once for all who ask meanwhile, and for as long as the shelf has room. */
export function createPictures(parts: PicturesParts): Pictures {
  const { shelf, derive, links, officeOf, now, onFailure, waitMs = WAIT_MS } = parts
  const underWay = new Map<string, Making>()
  const failures = new LRUCache<string, { error: UpstreamError | Problem; until: number }>({ max: REMEMBERED })
  const lines = createLines({ atOnce: FETCHED_AT_ONCE, longest: LONGEST_LINE })

  async function original(name: PictureName, asking: Asking): Promise<Uint8Array> {
    const office = officeOf(name)
    if (!office) throw new Problem('not_found')
    const live = { asking, priority: 'search' as const, timeoutMs: FETCH_MS, background: true }
    const picture = await office.picture(name.source, live)
    // Other bytes under an address that is kept for ever would stay there.
    if (picture?.version !== name.version) throw new Problem('not_found')
    return 'bytes' in picture ? picture.bytes : followed(picture.url, asking)
  }

  async function followed(url: string, asking: Asking): Promise<Uint8Array> {
    const controller = new AbortController()
    const leave = () => controller.abort()
    asking.onLeave(leave)
    try {
      return await links.read(url, controller.signal)
    } finally {
      asking.offLeave(leave)
    }
  }

  async function make(id: string, name: PictureName, asking: Asking): Promise<Made> {
    const work = async () => derive(await original(name, asking))
    const { thumb, large }: Derivatives = await lines.stand(`${name.merchant}/${name.mode}`, asking, work)
    const [small, big] = await Promise.all([
      shelf.put(fileOf(id, 'thumb'), thumb),
      shelf.put(fileOf(id, 'large'), large),
    ])
    return { thumb: small, large: big }
  }

  function start(id: string, name: PictureName, requestId: string): Making {
    const asking = createAsking({ requestId }, { totalMs: waitMs, reserveMs: waitMs * CODING_SHARE })
    const made = make(id, name, asking).catch((error: unknown) => {
      throw remembered(id, name, error)
    })
    const making = { made, asking }
    underWay.set(id, making)
    made.catch(() => {}).finally(() => underWay.delete(id))
    return making
  }

  /** The coding goes on behind, for whoever asks next. */
  function inTime(made: Promise<Made>): Promise<Made> {
    const late = Promise.withResolvers<never>()
    const over = () => late.reject(new UpstreamError('overloaded', 'a picture takes long', { retryAfterMs: 1_000 }))
    const timer = setTimeout(over, waitMs)
    return Promise.race([made, late.promise]).finally(() => clearTimeout(timer))
  }

  function remembered(id: string, name: PictureName, thrown: unknown): UpstreamError | Problem {
    if (thrown instanceof Problem) {
      failures.set(id, { error: thrown, until: now() + FAILED_MS })
      return thrown
    }
    const error =
      thrown instanceof UpstreamError ? thrown : new UpstreamError('error', String(thrown), { cause: thrown })
    if (isPassing(error)) return error
    failures.set(id, { error, until: now() + (error.failure === 'invalid' ? UNREADABLE_MS : FAILED_MS) })
    onFailure(name, error)
    return error
  }

  return {
    async picture(name, size, { requestId, calls }) {
      const id = fileIdOf(name)
      const kept = await shelf.get(fileOf(id, size))
      if (kept) return { ...kept, outcome: 'kept' }
      const failed = failures.get(id)
      if (failed && now() < failed.until) throw failed.error
      const { made, asking } = underWay.get(id) ?? start(id, name, requestId)
      try {
        return { ...(await inTime(made))[size], outcome: 'made' }
      } finally {
        for (const call of asking.calls) calls.add(call)
      }
    },
    async [Symbol.asyncDispose]() {
      const left = [...underWay.values()]
      const end = setTimeout(() => {
        for (const { asking } of left) asking.leave()
      }, DRAIN_MS)
      await Promise.allSettled(left.map(({ made }) => made))
      clearTimeout(end)
    },
  }
}

const passing: ReadonlySet<string> = new Set(['circuit_open', 'overloaded', 'rate_limited', 'aborted'])
/** A failure that says nothing of this picture: `onFailure` was not told. */
export const isPassing = ({ failure }: UpstreamError): boolean => passing.has(failure)

const fileOf = (id: string, size: Size) => `${id}-${size}.webp`
