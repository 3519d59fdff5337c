import { LRUCache } from 'lru-cache'
import { createNotFound, Problem, UpstreamError } from '../errors.ts'
import { tenantKey } from '../tenant.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import { createRequestScope, type RequestScope } from '../upstream/request/request-scope.ts'
import type { PictureFile } from './checksummed-picture-file.ts'
import type { DiskCache } from './disk-cache.ts'
import type { PictureLinkClient } from './picture-link-client.ts'
import { createPictureQueues } from './picture-queues.ts'
import type { PictureResizer, ResizedPictures } from './picture-resizer.ts'
import { type PictureId, type PictureSize, pictureFileId } from './picture-url-signer.ts'

export interface PictureLoaderParts {
  cache: DiskCache
  resize: PictureResizer
  linkClient: Pick<PictureLinkClient, 'read'>
  backOfficeFor(picture: PictureId): Pick<BackOffice, 'picture'> | null
  now: () => number
  /** Called for each picture that cannot be shown, once while the failure is remembered. */
  onFailure(picture: PictureId, error: UpstreamError): void
  /** How long a caller waits, in the queue and for the resizing. */
  waitMs?: number
}

export interface LoadedPicture extends PictureFile {
  outcome: 'kept' | 'made'
}

export interface PictureCaller {
  requestId: string
  /** Receives the traces of the calls to the back office, also of those shared with other callers. */
  calls: Set<CallTrace>
}

export interface PictureLoader extends AsyncDisposable {
  /** Rejects with UpstreamError, and with Problem('not_found') when the back office has no such picture or only another version of it. */
  load(picture: PictureId, size: PictureSize, caller: PictureCaller): Promise<LoadedPicture>
}

type PictureFiles = Record<PictureSize, PictureFile>

interface PictureLoad {
  files: Promise<PictureFiles>
  requestScope: RequestScope
}

const WAIT_MS = 10_000
/** The share of waitMs that is reserved for resizing. */
const RESIZE_SHARE = 0.1
/** The timeout of one original, from the back office or from a link. */
const FETCH_MS = 8_000
/** Per tenant. */
const MAX_CONCURRENT_FETCHES = 2
const MAX_QUEUED = 100
/** How long an unreadable picture is remembered … */
const UNREADABLE_MS = 60_000
/** … and a failed fetch. */
const FAILED_MS = 5_000
const MAX_REMEMBERED = 10_000
const DRAIN_MS = 2_000

/** Loads pictures: from the disk cache, else by resizing the original. Concurrent callers share one load. */
export function createPictureLoader(parts: PictureLoaderParts): PictureLoader {
  const { cache, resize, linkClient: links, backOfficeFor, now, onFailure, waitMs = WAIT_MS } = parts
  const running = new Map<string, PictureLoad>()
  const failures = new LRUCache<string, { error: UpstreamError | Problem; until: number }>({ max: MAX_REMEMBERED })
  const queues = createPictureQueues({ concurrency: MAX_CONCURRENT_FETCHES, maxQueued: MAX_QUEUED })

  async function readOriginal(name: PictureId, requestScope: RequestScope): Promise<Uint8Array> {
    const backOffice = backOfficeFor(name)
    if (!backOffice) throw createNotFound('picture')
    const options = { requestScope, priority: 'search' as const, timeoutMs: FETCH_MS, background: true }
    const picture = await backOffice.picture(name.source, options)
    // A URL is cached forever: it must never serve another version.
    if (picture?.version !== name.version) throw createNotFound('picture')
    return 'bytes' in picture ? picture.bytes : readLink(picture.url, requestScope)
  }

  async function readLink(url: string, requestScope: RequestScope): Promise<Uint8Array> {
    const controller = new AbortController()
    const abort = () => controller.abort()
    requestScope.onLeave(abort)
    try {
      return await links.read(url, controller.signal)
    } finally {
      requestScope.offLeave(abort)
    }
  }

  async function createFiles(id: string, name: PictureId, requestScope: RequestScope): Promise<PictureFiles> {
    const work = async () => resize(await readOriginal(name, requestScope))
    const { thumb, large }: ResizedPictures = await queues.run(tenantKey(name), requestScope, work)
    const [thumbFile, largeFile] = await Promise.all([
      cache.put(fileNameOf(id, 'thumb'), thumb),
      cache.put(fileNameOf(id, 'large'), large),
    ])
    return { thumb: thumbFile, large: largeFile }
  }

  function startLoad(id: string, name: PictureId, requestId: string): PictureLoad {
    const requestScope = createRequestScope({ requestId }, { totalMs: waitMs, reserveMs: waitMs * RESIZE_SHARE })
    const files = createFiles(id, name, requestScope).catch((error: unknown) => {
      throw rememberFailure(id, name, error)
    })
    const load = { files, requestScope }
    running.set(id, load)
    files.catch(() => {}).finally(() => running.delete(id))
    return load
  }

  /** Rejects after waitMs. The load continues for later callers. */
  function withTimeout(files: Promise<PictureFiles>): Promise<PictureFiles> {
    const timeout = Promise.withResolvers<never>()
    const onTimeout = () =>
      timeout.reject(new UpstreamError('overloaded', 'the picture is not ready in time', { retryAfterMs: 1_000 }))
    const timer = setTimeout(onTimeout, waitMs)
    return Promise.race([files, timeout.promise]).finally(() => clearTimeout(timer))
  }

  function rememberFailure(id: string, name: PictureId, thrown: unknown): UpstreamError | Problem {
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
      const cached = await cache.get(fileNameOf(id, size))
      if (cached) return { ...cached, outcome: 'kept' }
      const failed = failures.get(id)
      if (failed && now() < failed.until) throw failed.error
      const { files, requestScope } = running.get(id) ?? startLoad(id, name, requestId)
      try {
        return { ...(await withTimeout(files))[size], outcome: 'made' }
      } finally {
        for (const call of requestScope.calls) calls.add(call)
      }
    },
    async [Symbol.asyncDispose]() {
      const remaining = [...running.values()]
      const drainTimer = setTimeout(() => {
        for (const { requestScope } of remaining) requestScope.leave()
      }, DRAIN_MS)
      await Promise.allSettled(remaining.map(({ files }) => files))
      clearTimeout(drainTimer)
    },
  }
}

const transientFailures: ReadonlySet<string> = new Set([
  'circuit_open',
  'maintenance',
  'overloaded',
  'rate_limited',
  'unauthorized',
  'misconfigured',
  'aborted',
])
/** Returns true for a failure that is not caused by this picture. `onFailure` is not called for it. */
export const isTransientFailure = ({ failure }: UpstreamError): boolean => transientFailures.has(failure)

const fileNameOf = (id: string, size: PictureSize) => `${id}-${size}.webp`
