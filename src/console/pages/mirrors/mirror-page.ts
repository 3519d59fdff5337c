import { dirname } from 'node:path'
import { catalogPartNames } from '../../../catalog/mirror/file/catalog-part-names.ts'
import { readMirrorSwitch } from '../../../catalog/mirror/file/mirror-folder.ts'
import type { PartFailure } from '../../../changes/mirror/read-store-catalog-state.ts'
import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import type { MerchantConfig } from '../../../config/merchant-config.ts'
import { UpstreamError } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import type { StoreMonitor } from '../../../storage/store-monitor.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import type { ConsolePage } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { capitalizeFailure } from '../../text/failure-kind-text.ts'
import { formatDuration } from '../../text/format-durations.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import { createIncidentAndRequestCounter } from './incidents-and-requests-since.ts'
import { adviseOnMirror, listCountedIncidents, listFailingSystems } from './mirror-advice.ts'
import { callAboutParts } from './mirror-warning-views.ts'
import { isPartOld } from './mirror-warnings.ts'

export interface MirrorPageParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  mirrors: readonly TenantMirror[]
  merchants: MerchantDirectory
  configuredMerchants: readonly MerchantConfig[]
  machine: string
  now: () => number
  /** How long the page waits for the store before it shows what is in memory. */
  storeWaitMs?: number | undefined
}

const BYTES_PER_MIB = 1_048_576

/** Creates the page of the catalog mirrors: how old each part is, and whether this process can follow the store. */
export function createMirrorPage({
  db,
  store,
  mirrors,
  merchants,
  configuredMerchants,
  machine,
  now,
  storeWaitMs,
}: MirrorPageParts): ConsolePage {
  const maxAgeMs = new Map(configuredMerchants.map(({ merchant, mirror }) => [merchant, mirror?.maxAgeMs ?? 0]))
  const incidents = createIncidentAndRequestCounter({ db, store, waitMs: storeWaitMs })
  const readViews = async () => {
    const at = now()
    const read = mirrors.map((mirror) => {
      const limitMs = maxAgeMs.get(mirror.tenant.merchant)!
      return { mirror, limitMs, failing: listFailingSystems(mirror, limitMs, at) }
    })
    const counted = read.flatMap(({ mirror, failing }) => listCountedIncidents(mirror, failing))
    const countIncidents = await incidents.count(counted)
    return read.map(({ mirror, limitMs, failing }) => {
      const facts = { maxAgeMs: limitMs, machine, now: at, countIncidents, storeOutage: store.outage }
      return {
        ...toMirrorView(mirror, merchants.inOneTimeZone, limitMs, at),
        steps: adviseOnMirror(mirror, failing, facts, merchants.inOneTimeZone),
      }
    })
  }
  return {
    method: 'GET',
    path: '/mirrors',
    role: 'support',
    isLive: true,
    respond: async () => ({
      template: 'mirrors',
      title: 'Mirrors',
      view: { machine, mirrors: await readViews() },
    }),
  }
}

function toMirrorView(mirror: TenantMirror, merchants: MerchantDirectory, maxAgeMs: number, now: number) {
  const { merchant, mode } = mirror.tenant
  const { path, rows, bytes, lagMs, failure } = mirror.status()
  const switchedAt = path === null ? null : readMirrorSwitch(dirname(path))
  const toTime = (ms: number) => merchants.time(ms, merchant).text
  const parts = catalogPartNames.map((name) => {
    const state = mirror.partState(name)
    const { isFilled, asOf, failure: cause } = state
    const isOld = isPartOld(state, maxAgeMs, now)
    const kind = cause && failureKind(new UpstreamError(cause, cause))
    const past = mirror.latestFailure(name)
    return {
      name,
      age: isFilled ? formatDuration(Math.max(0, now - asOf)) : '–',
      asOf: isOld ? merchants.time(asOf, merchant) : null,
      pill: toPill({ isFilled, isOld, isStuck: failure !== null, isUnread: cause !== null }),
      cause: describeCause(kind, failure, isFilled) ?? (past === null ? null : describePeriodOfFailure(past, toTime)),
      since: kind !== null && past?.untilMs === null ? toTime(past.fromMs) : null,
      // What the systems say reaches a mirror through the store.
      knownUntil: kind && failure && merchants.time(failure.since, merchant),
      dueAt: kind && isFilled && !isOld ? merchants.time(asOf + maxAgeMs, merchant) : null,
      // What to do about an old part or one that is not filled is above.
      advice: kind && isFilled && !isOld ? adviceForFailure(kind) : null,
      whom: kind && isFilled && !isOld ? callAboutParts([name], mirror.tenant, merchants)[0]! : null,
    }
  })
  return {
    id: `${merchant}-${mode}`,
    merchantName: merchants.name(merchant),
    mode,
    isServing: mirror.isServing,
    rows: formatNumber(rows),
    size: `${formatNumber(Math.ceil(bytes / BYTES_PER_MIB))} MiB`,
    // Without a failure a change waits for some milliseconds.
    lag: failure ? '' : lagMs === 0 ? 'none' : `the oldest ${formatDuration(lagMs)} old`,
    followed: failure && merchants.time(failure.since, merchant),
    rebuilt: switchedAt === null ? null : merchants.time(switchedAt, merchant),
    maxAge: formatDuration(maxAgeMs),
    parts,
  }
}

/** What is old because this machine does not follow has no failure of its own. */
function describeCause(kind: string | null, failure: { message: string } | null, isFilled: boolean): string | null {
  if (kind !== null) return capitalizeFailure(kind)
  return failure && isFilled ? `Not updated: ${failure.message}` : null
}

/** A failure that is over still explains an incident of its time. */
function describePeriodOfFailure({ failure, fromMs, untilMs }: PartFailure, toTime: (ms: number) => string): string {
  const kind = capitalizeFailure(failureKind(new UpstreamError(failure, failure)))
  if (untilMs === null) return `${kind}, since ${toTime(fromMs)}`
  return `${kind}, from ${toTime(fromMs)} to ${toTime(untilMs)}; reads have succeeded since`
}

function toPill({
  isFilled,
  isOld,
  isStuck,
  isUnread,
}: Readonly<Record<'isFilled' | 'isOld' | 'isStuck' | 'isUnread', boolean>>) {
  if (!isFilled) return { tone: 'warning', text: 'Not filled' }
  if (isOld) return { tone: 'failing', text: 'Out of date' }
  if (isStuck) return { tone: 'warning', text: 'Not updated' }
  return isUnread ? { tone: 'warning', text: 'Current, but the last read failed' } : { tone: 'well', text: 'Current' }
}
