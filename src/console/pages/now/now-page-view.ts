import type { CurrentStatus, TenantStatus } from '../../../diagnostics/status/current-status.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { formatCount, formatNumber, formatPercent, pluralize } from '../../text/format-numbers.ts'
import { describeCircuit } from '../../text/section-text.ts'
import { describeStoreOutage, STORE_OUTAGE_EFFECT } from '../../text/store-outage-text.ts'
import { callAboutForecourt, callAboutSystem, type WhomToCall } from '../../whom-to-call.ts'
import type { CircuitPathParams } from '../circuit-page-path.ts'
import { type LastEndedIncidentView, toLastEndedIncidentView } from '../incidents/last-ended-incident-view.ts'
import { type RefusedKeyView, toRefusedKeyView } from '../incidents/refused-key-view.ts'
import {
  type LateMirrorView,
  toLateMirrorView,
  toUnfilledMirrorView,
  toUnreadMirrorView,
  type UnfilledMirrorView,
  type UnreadMirrorView,
} from '../mirrors/mirror-warning-views.ts'
import type { LateMirror, UnfilledMirror, UnreadMirror } from '../mirrors/mirror-warnings.ts'
import type { StatusPill } from '../status-pill.ts'
import { type BacklogView, toBacklogView } from './backlog-view.ts'
import { type FailingChannelView, toFailingChannelView } from './failing-channel-view.ts'
import { toNowHeadline } from './now-headline.ts'
import { type NowSystemView, toNowSystemView } from './now-system-view.ts'
import { isSystemUnhealthy } from './system-health.ts'

export interface NowMerchantView {
  /** The id of the HTML element, and the prefix of the names of announced parts. */
  id: string
  name: string
  mode: string
  isUnhealthy: boolean
  responses: string
  responsesNoun: string
  completeShare: string
  timelineHref: string
  systems: NowSystemView[]
}

export interface NowPageView {
  headline: StatusPill
  processes: number
  /** The store is unavailable to this process; `null`: it is available. */
  storeOutage: { text: string; effect: string; advice: string; refusals: string | null; isUnreachable: boolean } | null
  merchants: NowMerchantView[]
  /** Healthy merchants without requests in the last minute. */
  idleMerchants: NowMerchantView[]
  /** The incident that ended last; `null`: none has lately. */
  latestIncident: LastEndedIncidentView | null
  refusedKeys: RefusedKeyView[]
  failingChannels: FailingChannelView[]
  /** `null`: unknown, because the store has not answered since this process started. */
  backlog: BacklogView | null
  /** What the circuit of searches is; empty: no merchant has one. */
  searchNote: string
  /** The machine that serves the page. */
  machine: string
  /** Its mirrors that are out of date or not updated. */
  lateMirrors: LateMirrorView[]
  /** Mirrors without parts that could not be read yet. */
  unfilledMirrors: UnfilledMirrorView[]
  /** Mirrors with parts that are current, although the last read failed. */
  unreadMirrors: UnreadMirrorView[]
  /** About the store and the mirrors. */
  whom: WhomToCall
}

type CircuitPathLookup = (params: CircuitPathParams) => string | null

export function toNowPageView(
  status: CurrentStatus & {
    lateMirrors: readonly LateMirror[]
    unfilledMirrors: readonly UnfilledMirror[]
    unreadMirrors: readonly UnreadMirror[]
    machine: string
  },
  merchants: MerchantDirectory,
  findCircuitPath: CircuitPathLookup,
): NowPageView {
  const { storeOutage, lateMirrors } = status
  const backlog = toBacklogView(status, merchants)
  const refusedKeys = status.refusedKeys.filter(({ key }) => merchants.shows(key.tenant_id))
  const tenants = status.merchants.map((tenant) => ({
    status: tenant,
    view: toMerchantView(tenant, status.care, merchants, findCircuitPath),
  }))
  const unhealthy = tenants.filter(({ view }) => view.isUnhealthy)
  const busy = tenants.filter(({ view, status: { answers } }) => !view.isUnhealthy && answers > 0)
  const idle = tenants.filter(({ view, status: { answers } }) => !view.isUnhealthy && answers === 0)
  return {
    headline: toNowHeadline(
      unhealthy.map((tenant) => tenant.status),
      storeOutage,
      {
        refusedKeys,
        waitingOrders: countLateOrders(status),
        failingEndpoints: backlog?.webhooks.failing ?? 0,
        recentlyFailingEndpoints: status.backlog?.webhooks.recentlyFailing.length ?? 0,
        lateMirrors: lateMirrors.length,
        unfilledMirrors: status.unfilledMirrors.length,
        failedImports: backlog?.failedImports.length ?? 0,
        hasRequests: tenants.some(hasResponses),
      },
    ),
    processes: status.processes,
    storeOutage: storeOutage && {
      text: describeStoreOutage(storeOutage, merchants.time(storeOutage.beganAt, null)),
      effect: STORE_OUTAGE_EFFECT,
      advice: adviceForFailure(storeOutage.reason),
      refusals: storeOutage.refusals > 0 ? formatCount(storeOutage.refusals, 'request') : null,
      isUnreachable: storeOutage.isUnreachable,
    },
    merchants: [...unhealthy, ...busy].map(({ view }) => view),
    idleMerchants: idle.map(({ view }) => view),
    latestIncident: status.latestIncident && toLastEndedIncidentView(status.latestIncident, merchants),
    refusedKeys: refusedKeys.map((key) => toRefusedKeyView(key, merchants)),
    failingChannels: status.failingChannels.map((channel) => toFailingChannelView(channel, merchants)),
    backlog,
    searchNote: hasSearchCircuit(status.merchants) ? describeCircuit('inventory-search') : '',
    machine: status.machine,
    lateMirrors: lateMirrors.map((late) => toLateMirrorView(late, storeOutage, merchants)),
    unfilledMirrors: status.unfilledMirrors.map((mirror) => toUnfilledMirrorView(mirror, merchants)),
    unreadMirrors: status.unreadMirrors.map((mirror) => toUnreadMirrorView(mirror, merchants)),
    whom: callAboutForecourt(merchants),
  }
}

const hasSearchCircuit = (tenants: readonly TenantStatus[]) =>
  tenants.some(({ systems }) => systems.some(({ system }) => system === 'inventory-search'))

/** The first retries follow within seconds. */
const LATE_ORDER_MS = 60_000

/** Returns how many orders wait if the oldest has waited for long. */
function countLateOrders({ backlog, at }: CurrentStatus): number {
  const { count = 0, oldest = null } = backlog?.waitingOrders ?? {}
  return oldest !== null && at - oldest.at >= LATE_ORDER_MS ? count : 0
}

const hasResponses = ({ status }: { status: TenantStatus }) => status.answers > 0

function toMerchantView(
  tenant: TenantStatus,
  care: CurrentStatus['care'],
  merchants: MerchantDirectory,
  findCircuitPath: CircuitPathLookup,
): NowMerchantView {
  const { merchant, mode } = tenant
  return {
    id: `${merchant}-${mode}`,
    name: tenant.name,
    mode,
    isUnhealthy: tenant.systems.some(isSystemUnhealthy),
    responses: formatNumber(tenant.answers),
    responsesNoun: pluralize(tenant.answers, 'response'),
    completeShare: tenant.completeShare === null ? '–' : formatPercent(tenant.completeShare),
    timelineHref: `/timeline?${new URLSearchParams({ merchant, mode })}`,
    systems: tenant.systems.map((system) => ({
      ...toNowSystemView(system, tenant, care, merchants),
      whom: callAboutSystem(merchants, { merchant, mode }, system.system),
      circuitHref: findCircuitPath({ merchant, mode, circuit: system.system }),
    })),
  }
}
