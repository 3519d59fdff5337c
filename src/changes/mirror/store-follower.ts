import type { MirrorFileReader } from '../../catalog/mirror/read/mirror-file-reader.ts'
import type { OpenedMirror } from '../../catalog/mirror/read/open-mirror.ts'
import type { MirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { readCatalogSequence } from '../../storage/catalog/catalog-sequences.ts'
import { findNextCatalogChange } from '../../storage/catalog/find-next-catalog-change.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { CurrentMirror } from './current-mirror.ts'
import type { EventRelease } from './event-release.ts'
import { hideFileErrorCodes } from './hide-file-error-codes.ts'
import { readStoreCatalogState, type StoreCatalogState } from './read-store-catalog-state.ts'
import { updateMirrorFromStore } from './update-mirror-from-store.ts'

/** The changes in a mirror's file. */
export interface AppliedChanges {
  skus: readonly string[]
  /** Products that did not change themselves may have other references. */
  hasOtherReferences: boolean
}

export interface StoreFollowerParts {
  db: Database
  tenant: Tenant
  threads: Pick<MirrorThreads, 'apply' | 'readState'>
  mirror: Pick<CurrentMirror, 'opened' | 'prepare' | 'readChanges'>
  release: Pick<EventRelease, 'report'>
  /** Called when the file has changed: caches must delete values of the changed products, and all lists. */
  onApplied(changes: AppliedChanges | 'all'): void
  /** Called when this process has registered, so that the other processes wait for it. */
  onJoined(): void
  /** Called when the file is as current as the store was. */
  onProgress(): Promise<void>
  canContinue(): boolean
}

/** Brings the file of a mirror up to date with the store, and knows how current it is. */
export interface StoreFollower {
  /** Reads what the store has and the file lacks, some pages of it. Returns whether the file has everything. */
  follow(opened: OpenedMirror): Promise<boolean>
  /** Continues with another file. `isUpToDate`: the file has everything that the previous one had. */
  startFile(file: { sequence: number; isUpToDate: boolean }): void
  /** Registers again: the other processes have forgotten this one. */
  rejoin(): void
  /** How current the file is; `null`: it is being filled, or has not been compared with the store yet. */
  readonly current: StoreCatalogState | null
  /** The sequence number up to which events need not wait for this process; `null`: the process is not registered. */
  readonly heldSequence: number | null
  /** The sequence number up to which the changes in the file were reported to `onApplied`. */
  readonly reported: number
  /** The oldest change that the store has and the file lacks. */
  readonly nextChange: number | null
}

/** After this many pages, this process reports how far it is. */
const PAGES = 10
const MAX_REPORTED_SKUS = 1_000

export function createStoreFollower(parts: StoreFollowerParts): StoreFollower {
  const { db, tenant, threads, mirror, release, onApplied, onJoined, onProgress, canContinue } = parts
  let current: StoreCatalogState | null = null
  /** The state of the store that the file must reach to be as current. */
  let goal: StoreCatalogState | null = null
  /** The store's sequence number when this process registered. Its caches have nothing older while the file is not current. */
  let joinSequence = 0
  let hasJoined = false
  let reported = 0
  let nextChange: number | null = null

  /**
   * Registers this process before its file is current: events of later changes wait until it has them. What the file must reach is read after
   * that, so it has the changes of all events that were released before.
   */
  async function join(): Promise<void> {
    joinSequence = await readCatalogSequence(db, tenant)
    onApplied('all')
    await release.report(joinSequence)
    hasJoined = true
    onJoined()
  }

  async function follow(opened: OpenedMirror): Promise<boolean> {
    if (!goal && !current) await join()
    goal ??= await readStoreCatalogState(db, tenant)
    opened.checkFile()
    const isWriter = await hideFileErrorCodes(opened.isWriter)
    const hasAll =
      !isWriter ||
      (await updateMirrorFromStore({ db, tenant, path: opened.path, threads, maxPages: PAGES, canContinue }))
    opened.openReader()
    if (mirror.opened !== opened || !opened.reader) return true
    reportChanges(opened.reader)
    await advance(goal, opened.reader)
    return hasAll
  }

  function reportChanges(reader: MirrorFileReader): void {
    const sequence = reader.readSequence()
    if (sequence === reported) return
    reader.forget(reader.listUnlistedChanges(reported))
    const skus = reader.listChangedSkus(reported, MAX_REPORTED_SKUS + 1)
    const hasOtherReferences = reader.readReferencesSequence() > reported
    const areTooMany = skus.length > MAX_REPORTED_SKUS
    reader.forget(areTooMany ? 'all' : skus)
    reported = sequence
    if (current) onApplied(areTooMany ? 'all' : { skus, hasOtherReferences })
  }

  /** The file is as current as the store was when the goal was set, once it has all changes up to then and its products can be found. */
  async function advance(state: StoreCatalogState, reader: MirrorFileReader): Promise<void> {
    nextChange = await findNextCatalogChange(db, tenant, reported)
    const isComplete = !reader.isBeingFilled() && (nextChange === null || nextChange > state.sequence)
    const isFirstUse = !current || (isFilled(state) && !isFilled(current))
    if (isComplete && isFirstUse) {
      if (!current) await release.report(joinSequence)
      // Otherwise the first searches would wait for it, some for longer than they may. Until then, the systems are asked.
      await mirror.prepare()
      if (!mirror.opened) return
    }
    // The others have forgotten this process: it registers again.
    if (goal !== state) return
    if (isComplete) setCurrent(state)
    await onProgress()
    if (current) await mirror.readChanges()
  }

  function setCurrent(state: StoreCatalogState): void {
    const isFirst = !current
    current = state
    goal = null
    // What was read from the systems meanwhile may be older than the file.
    if (isFirst) onApplied('all')
  }

  return {
    follow,
    startFile({ sequence, isUpToDate }) {
      if (isUpToDate && current) onApplied('all')
      else {
        current = null
        goal = null
      }
      reported = sequence
    },
    rejoin() {
      // What the file must reach is read again after the registration.
      if (!current) goal = null
    },
    get current() {
      return current
    },
    get heldSequence() {
      return hasJoined ? (current?.sequence ?? joinSequence) : null
    },
    get reported() {
      return reported
    },
    get nextChange() {
      return nextChange
    },
  }
}

const isFilled = ({ parts }: StoreCatalogState) => parts.get('products')?.isFilled ?? false
