import { MirrorDamageError } from '../../catalog/mirror/file/mirror-damage.ts'
import {
  deleteOtherFormats,
  deleteUnusedMirrors,
  prepareMirrorFolder,
  toMirrorFolder,
} from '../../catalog/mirror/file/mirror-folder.ts'
import type { OpenedMirror } from '../../catalog/mirror/read/open-mirror.ts'
import type { ProductReader, PublicUrl } from '../../catalog/mirror/read/product-reader.ts'
import type { MirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { startPoller } from '../../lifecycle/poller.ts'
import { readCatalogSequence } from '../../storage/catalog/catalog-sequences.ts'
import { findNextCatalogChange } from '../../storage/catalog/find-catalog-change-after.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { CatalogMirror } from '../../upstream/mirror/catalog-mirror.ts'
import { createCurrentMirror, type MirrorReplacement } from './current-mirror.ts'
import { createEventRelease } from './event-release.ts'
import { readStoreState, type StoreState, unreadPart } from './read-store-catalog-state.ts'
import { updateMirrorFromStore } from './update-mirror-from-store.ts'

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
  /** Called when the file has changed: caches may keep nothing of these changes, and no list. */
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

/** The changes in a mirror's file. */
export interface AppliedChanges {
  skus: readonly string[]
  /** Products that did not change themselves may have other references. */
  hasOtherReferences: boolean
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
}

const INTERVAL_MS = 500
/** After this many pages, this process reports how far it is. */
const PAGES = 10
const MAX_REPORTED_SKUS = 1_000
const CLEANING_INTERVAL_MS = 3_600_000

export function startTenantMirror(parts: TenantMirrorParts): TenantMirror {
  const { db, tenant, threads, now, onError, onReplaced = () => {}, intervalMs = INTERVAL_MS } = parts
  const folder = toMirrorFolder(parts.dataDirectory, tenant)
  const registration = Promise.withResolvers<void>()
  const release = createEventRelease({
    ...parts,
    onMissedEvents(silentMs) {
      // What the file must reach is read again after the registration.
      if (!current) goal = null
      parts.onMissedEvents?.(silentMs)
    },
  })
  /** How current the file is; `null`: it is being filled, or has not been compared with the store yet. */
  let current: StoreState | null = null
  /** The state of the store that the file must reach to be as current. */
  let goal: StoreState | null = null
  /** The store's sequence number when this process registered. Its caches have nothing older while the file is not current. */
  let joinSequence = 0
  let hasJoined = false
  /** When the files of other releases were last checked. */
  let cleanedAt = Number.NEGATIVE_INFINITY
  /** The changes up to it were reported to `onApplied`. */
  let reported = 0
  let nextChange: number | null = null
  let failure: MirrorStatus['failure'] = null
  const mirror = createCurrentMirror({
    folder,
    threads,
    cacheBytes: parts.cacheBytes,
    publicUrl: parts.publicUrl,
    onError,
    canContinue: () => !poller.isStopped,
    onOpened({ sequence, isUpToDate }) {
      if (isUpToDate && current) parts.onApplied(tenant, 'all')
      else {
        current = null
        goal = null
      }
      reported = sequence
    },
    onReplaced,
  })
  /** Reports while a round waits for the thread that writes, so that the other processes do not take this one for gone. */
  const reports = startPoller({ round: reportProgress, intervalMs, onError })
  const poller = startPoller({ round, intervalMs, onError, startsAtOnce: intervalMs !== null })

  async function round(): Promise<void> {
    try {
      await onFile(() => {
        prepareMirrorFolder(parts.dataDirectory, tenant)
        return mirror.switchToCurrent()
      })
      const { opened } = mirror
      if (opened) while (!(await followFile(opened)) && !poller.isStopped && mirror.opened === opened);
      if (failure) parts.onRecovered?.()
      failure = null
    } catch (error) {
      failure = { message: (error as Error).message, since: failure?.since ?? now() }
      await onFile(() => mirror.replaceIfDamaged(error))
      throw error
    } finally {
      registration.resolve()
    }
    await onFile(() => deleteUnusedMirrors(folder))
    if (now() - cleanedAt < CLEANING_INTERVAL_MS) return
    cleanedAt = now()
    await onFile(() => deleteOtherFormats(folder, cleanedAt))
  }

  /**
   * Registers this process before its file is current: events of later changes wait until it has them. What the file must reach is read after
   * that, so it has the changes of all events that were released before.
   */
  async function join(): Promise<void> {
    joinSequence = await readCatalogSequence(db, tenant)
    parts.onApplied(tenant, 'all')
    await release.report(joinSequence)
    hasJoined = true
    registration.resolve()
  }

  /** Returns whether this round is complete. */
  async function followFile(opened: OpenedMirror): Promise<boolean> {
    if (!goal && !current) await join()
    goal ??= await readStoreState(db, tenant)
    opened.checkFile()
    const canContinue = () => !poller.isStopped
    const isWriter = await onFile(opened.isWriter)
    const isComplete =
      !isWriter ||
      (await updateMirrorFromStore({ db, tenant, path: opened.path, threads, maxPages: PAGES, canContinue }))
    opened.openReader()
    if (mirror.opened !== opened || !opened.reader) return true
    reportChanges(opened.reader)
    await advance(goal)
    return isComplete
  }

  function reportChanges(reader: ProductReader): void {
    const sequence = reader.readSequence()
    if (sequence === reported) return
    reader.forget(reader.listUnlistedChanges(reported))
    const skus = reader.listChangedSkus(reported, MAX_REPORTED_SKUS + 1)
    const hasOtherReferences = reader.readReferencesSequence() > reported
    const areTooMany = skus.length > MAX_REPORTED_SKUS
    reader.forget(areTooMany ? 'all' : skus)
    reported = sequence
    if (current) parts.onApplied(tenant, areTooMany ? 'all' : { skus, hasOtherReferences })
  }

  /** The file is as current as the store was when the goal was set, once it has all changes up to then. */
  async function advance(state: StoreState): Promise<void> {
    nextChange = await findNextCatalogChange(db, tenant, reported)
    const isComplete = nextChange === null || nextChange > state.sequence
    if (isComplete && !current) {
      await release.report(joinSequence)
      // Otherwise the first searches would wait for it, some for longer than they may. Until then, the systems are asked.
      await mirror.prepare()
      if (!mirror.opened) return
    }
    // The others have forgotten this process: it registers again.
    if (goal !== state) return
    if (isComplete) setCurrent(state)
    // One that is under way may report less than this.
    await reports.running
    await reports.poll()
  }

  /** A process that cannot follow is silent. */
  async function reportProgress(): Promise<void> {
    if (hasJoined && !failure) await release.round(current?.sequence ?? joinSequence)
  }

  function setCurrent(state: StoreState): void {
    const isFirst = !current
    current = state
    goal = null
    // What was read from the systems meanwhile may be older than the file.
    if (isFirst) parts.onApplied(tenant, 'all')
  }

  return {
    tenant,
    registered: registration.promise,
    ...mirror.reads,
    poll: poller.poll,
    follow: poller.tick,
    partState: (name) => (mirror.opened?.reader && current?.parts.get(name)) || unreadPart,
    get isServing() {
      return mirror.opened?.reader != null && current !== null
    },
    status() {
      const { opened } = mirror
      return {
        path: opened?.path ?? null,
        bytes: opened?.bytes ?? 0,
        rows: opened?.reader?.countRows() ?? 0,
        sequence: reported,
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

/** Hides the code of a file's error: the store's errors have the same ones, and are reported elsewhere. */
async function onFile<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MirrorDamageError) throw error
    throw new Error((error as Error).message, { cause: error })
  }
}
