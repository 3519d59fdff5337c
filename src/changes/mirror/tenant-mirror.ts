import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { MirrorDamageError } from '../../catalog/mirror/file/mirror-damage.ts'
import {
  deleteOtherFormats,
  deleteUnusedMirrors,
  prepareMirrorFolder,
  toMirrorFolder,
} from '../../catalog/mirror/file/mirror-folder.ts'
import type { PublicUrl } from '../../catalog/mirror/read/mirror-file-reader.ts'
import type { MirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { startPoller } from '../../lifecycle/poller.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { CatalogMirror } from '../../upstream/mirror/catalog-mirror.ts'
import { createCurrentMirror, type MirrorReplacement } from './current-mirror.ts'
import { createEventRelease } from './event-release.ts'
import { hideFileErrorCodes } from './hide-file-error-codes.ts'
import { type PartFailure, unreadPart } from './read-store-catalog-state.ts'
import { type AppliedChanges, createStoreFollower } from './store-follower.ts'

export interface TenantMirrorParts {
  db: Database
  tenant: Tenant
  dataDirectory: string
  threads: Omit<MirrorThreads, keyof AsyncDisposable>
  /** Identifies this process among those that share the store. */
  follower: string
  /** The memory for parsed products. */
  cacheBytes: number
  /** Without one, the pictures of products that Forecourt serves have paths rather than URLs. */
  publicUrl?: PublicUrl
  now: () => number
  /** Called when the file has changed: caches must delete values of the changed products, and all lists. */
  onApplied(tenant: Tenant, changes: AppliedChanges | 'all'): void
  /** `error`: the damage that this process has found. */
  onReplaced?(reason: MirrorReplacement, error?: MirrorDamageError): void
  /** Called when this process was silent for so long that events were sent without it. */
  onMissedEvents?(silentMs: number): void
  onError(error: unknown): void
  /** A round has succeeded after one that failed. */
  onRecovered?(): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

/** How a tenant's mirror is doing in this process. */
export interface MirrorStatus {
  path: string | null
  bytes: number
  /** SKUs, including withdrawn ones. */
  rows: number
  sequence: number
  /** The age of the oldest change that the store has and the file lacks. */
  lagMs: number
  /** Why the last round failed, and since when rounds fail, in milliseconds since the epoch. */
  failure: { message: string; since: number } | null
}

/** A tenant's mirror on this machine. It follows the store, and replaces its file when the file is damaged. */
export interface TenantMirror extends CatalogMirror, AsyncDisposable {
  readonly tenant: Tenant
  /** Resolves when the other processes know this one, or when its first round has failed. Only then may it serve requests. */
  readonly registered: Promise<void>
  /** Resolves when this process knows what the file had, and if it writes the file, the file has what the store had. */
  poll(): Promise<void>
  /** Does what the timer does: starts a round, unless one is under way. */
  follow(): void
  /** The file has been read from the store completely: reads of filled parts may use it. */
  readonly isServing: boolean
  status(): MirrorStatus
  /** Returns the latest failure of a part's reads in any process, or `null` if none is known. */
  latestFailure(name: CatalogPartName): PartFailure | null
}

const INTERVAL_MS = 500
const CLEANING_INTERVAL_MS = 3_600_000

export function startTenantMirror(parts: TenantMirrorParts): TenantMirror {
  const { db, tenant, threads, now, onError, onReplaced = () => {}, intervalMs = INTERVAL_MS } = parts
  const folder = toMirrorFolder(parts.dataDirectory, tenant)
  const registration = Promise.withResolvers<void>()
  const release = createEventRelease({
    ...parts,
    onMissedEvents(silentMs) {
      follower.rejoin()
      parts.onMissedEvents?.(silentMs)
    },
  })
  /** When the files of other releases were last checked. */
  let cleanedAt = Number.NEGATIVE_INFINITY
  let failure: MirrorStatus['failure'] = null
  const mirror = createCurrentMirror({
    folder,
    threads,
    cacheBytes: parts.cacheBytes,
    publicUrl: parts.publicUrl,
    onError,
    canContinue: () => !poller.isStopped,
    onOpened: (file) => follower.startFile(file),
    onReplaced,
  })
  const follower = createStoreFollower({
    db,
    tenant,
    threads,
    mirror,
    release,
    onApplied: (changes) => parts.onApplied(tenant, changes),
    onJoined: registration.resolve,
    async onProgress() {
      // A report that is under way may contain less.
      await reports.running
      await reports.poll()
    },
    canContinue: () => !poller.isStopped,
  })
  /** Reports while a round waits for the thread that writes, so that the other processes do not take this one for gone. */
  const reports = startPoller({ round: reportProgress, intervalMs, onError })
  const poller = startPoller({ round, intervalMs, onError, startsAtOnce: intervalMs !== null })

  async function round(): Promise<void> {
    try {
      await hideFileErrorCodes(() => {
        prepareMirrorFolder(parts.dataDirectory, tenant)
        return mirror.switchToCurrent()
      })
      const { opened } = mirror
      if (opened) while (!(await follower.follow(opened)) && !poller.isStopped && mirror.opened === opened);
      if (failure) parts.onRecovered?.()
      failure = null
    } catch (error) {
      failure = { message: (error as Error).message, since: failure?.since ?? now() }
      await hideFileErrorCodes(() => mirror.replaceIfDamaged(error))
      throw error
    } finally {
      registration.resolve()
    }
    await hideFileErrorCodes(() => deleteUnusedMirrors(folder))
    if (now() - cleanedAt < CLEANING_INTERVAL_MS) return
    cleanedAt = now()
    await hideFileErrorCodes(() => deleteOtherFormats(folder, cleanedAt))
  }

  /** A process that cannot follow is silent. */
  async function reportProgress(): Promise<void> {
    if (follower.heldSequence !== null && !failure) await release.round(follower.heldSequence)
  }

  return {
    tenant,
    registered: registration.promise,
    ...mirror.reads,
    poll: poller.poll,
    follow: poller.tick,
    partState: (name) => (mirror.opened?.reader && follower.current?.parts.get(name)) || unreadPart,
    latestFailure: (name) => follower.current?.failures.get(name) ?? null,
    get isServing() {
      return mirror.opened?.reader != null && follower.current !== null
    },
    status() {
      const { opened } = mirror
      const { nextChange } = follower
      return {
        path: opened?.path ?? null,
        bytes: opened?.bytes ?? 0,
        rows: opened?.reader?.countRows() ?? 0,
        sequence: follower.reported,
        lagMs: nextChange === null ? 0 : Math.max(0, now() - nextChange / 1_000),
        failure,
      }
    },
    async [Symbol.asyncDispose]() {
      await poller[Symbol.asyncDispose]()
      await reports[Symbol.asyncDispose]()
      await release[Symbol.asyncDispose]()
      await mirror[Symbol.asyncDispose]()
    },
  }
}
