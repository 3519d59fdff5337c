import { LRUCache } from 'lru-cache'
import { Problem, UpstreamError } from '../errors.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import { createRequestScope, type RequestScope } from '../upstream/request-scope.ts'
import type { DiskCache } from './disk-cache.ts'
import type { PictureFile } from './picture-file.ts'
import type { PictureLinkClient } from './picture-link-client.ts'
import { createPictureQueues } from './picture-queues.ts'
import type { PictureResizer, ResizedPictures } from './picture-resizer.ts'
import { type PictureId, type PictureSize, pictureFileId } from './picture-url-signer.ts'

export interface PictureLoaderParts {
  cache: DiskCache
  resize: PictureResizer
  links: Pick<PictureLinkClient, 'read'>
  backOfficeFor(name: PictureId): Pick<BackOffice, 'picture'> | null
  now: () => number
  /** Told of each picture that could not be made, once for as long as that is remembered: the name for whoever mends it. */
  onFailure(name: PictureId, error: UpstreamError): void
  /** How long one asker waits, in line and for the making. */
  waitMs?: number
}

export interface LoadedPicture extends PictureFile {
  outcome: 'kept' | 'made'
}

export interface PictureCaller {
  requestId: string
  /** What was asked of the back office for it is put there, alone or together with others. */
  calls: Set<CallTrace>
}

export interface PictureLoader extends AsyncDisposable {
  /** Rejects with UpstreamError, and with Problem('not_found') when the back office has no such picture, or another by now. */
  load(name: PictureId, size: PictureSize, asker: PictureCaller): Promise<LoadedPicture>
}

type Made = Record<PictureSize, PictureFile>

interface Making {
  made: Promise<Made>
  requestScope: RequestScope
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
export function createPictureLoader(parts: PictureLoaderParts): PictureLoader {
  const { cache: shelf, resize: derive, links, backOfficeFor, now, onFailure, waitMs = WAIT_MS } = parts
  const underWay = new Map<string, Making>()
  const failures = new LRUCache<string, { error: UpstreamError | Problem; until: number }>({ max: REMEMBERED })
  const lines = createPictureQueues({ atOnce: FETCHED_AT_ONCE, longest: LONGEST_LINE })

  async function original(name: PictureId, requestScope: RequestScope): Promise<Uint8Array> {
    const backOffice = backOfficeFor(name)
    if (!backOffice) throw new Problem('not_found')
    const live = { requestScope, priority: 'search' as const, timeoutMs: FETCH_MS, background: true }
    const picture = await backOffice.picture(name.source, live)
    // Other bytes under an address that is kept for ever would stay there.
    if (picture?.version !== name.version) throw new Problem('not_found')
    return 'bytes' in picture ? picture.bytes : followed(picture.url, requestScope)
  }

  async function followed(url: string, requestScope: RequestScope): Promise<Uint8Array> {
    const controller = new AbortController()
    const leave = () => controller.abort()
    requestScope.onLeave(leave)
    try {
      return await links.read(url, controller.signal)
    } finally {
      requestScope.offLeave(leave)
    }
  }

  async function make(id: string, name: PictureId, requestScope: RequestScope): Promise<Made> {
    const work = async () => derive(await original(name, requestScope))
    const { thumb, large }: ResizedPictures = await lines.run(`${name.merchant}/${name.mode}`, requestScope, work)
    const [small, big] = await Promise.all([
      shelf.put(fileOf(id, 'thumb'), thumb),
      shelf.put(fileOf(id, 'large'), large),
    ])
    return { thumb: small, large: big }
  }

  function start(id: string, name: PictureId, requestId: string): Making {
    const requestScope = createRequestScope({ requestId }, { totalMs: waitMs, reserveMs: waitMs * CODING_SHARE })
    const made = make(id, name, requestScope).catch((error: unknown) => {
      throw remembered(id, name, error)
    })
    const making = { made, requestScope }
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

  function remembered(id: string, name: PictureId, thrown: unknown): UpstreamError | Problem {
    if (thrown instanceof Problem) {
      failures.set(id, { error: thrown, until: now() + FAILED_MS })
      return thrown
    }
    const error =
      thrown instanceof UpstreamError ? thrown : new UpstreamError('error', String(thrown), { cause: thrown })
    if (isTransientFailure(error)) return error
    failures.set(id, { error, until: now() + (error.failure === 'invalid' ? UNREADABLE_MS : FAILED_MS) })
    onFailure(name, error)
    return error
  }

  return {
    async load(name, size, { requestId, calls }) {
      const id = pictureFileId(name)
      const kept = await shelf.get(fileOf(id, size))
      if (kept) return { ...kept, outcome: 'kept' }
      const failed = failures.get(id)
      if (failed && now() < failed.until) throw failed.error
      const { made, requestScope } = underWay.get(id) ?? start(id, name, requestId)
      try {
        return { ...(await inTime(made))[size], outcome: 'made' }
      } finally {
        for (const call of requestScope.calls) calls.add(call)
      }
    },
    async [Symbol.asyncDispose]() {
      const left = [...underWay.values()]
      const end = setTimeout(() => {
        for (const { requestScope } of left) requestScope.leave()
      }, DRAIN_MS)
      await Promise.allSettled(left.map(({ made }) => made))
      clearTimeout(end)
    },
  }
}

const passing: ReadonlySet<string> = new Set(['circuit_open', 'overloaded', 'rate_limited', 'aborted'])
/** A failure that says nothing of this picture: `onFailure` was not told. */
export const isTransientFailure = ({ failure }: UpstreamError): boolean => passing.has(failure)

const fileOf = (id: string, size: PictureSize) => `${id}-${size}.webp`
