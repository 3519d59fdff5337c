import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import type { CurrentStatus, TenantStatus } from '../../diagnostics/status/current-status.ts'
import { sectionNoun } from '../../diagnostics/status/shopper-impact-text.ts'
import type { SystemStatus } from '../../diagnostics/status/system-status.ts'
import { type CircuitName, toCircuitSystem } from '../../ports/system.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { CALL_PAUSE_HINT } from '../text/call-pause-text.ts'
import { describeDegradedResponses } from '../text/degraded-responses-text.ts'
import { adviceForFailure } from '../text/failure-kind-text.ts'
import { formatDuration, formatElapsedMs } from '../text/format-durations.ts'
import { formatCount, formatNumber, formatPercent, pluralize } from '../text/format-numbers.ts'
import type { DisplayTime } from '../text/format-times.ts'
import { describeOlderCount } from '../text/older-value-text.ts'
import { describeSection, describeSystemEffect } from '../text/section-text.ts'
import { describeStoreOutage, STORE_OUTAGE_EFFECT } from '../text/store-outage-text.ts'
import { callAboutForecourt, callAboutSystem, type WhomToCall } from '../whom-to-call.ts'
import { type BacklogView, toBacklogView } from './backlog-view.ts'
import type { CircuitPathParams } from './circuit-paths.ts'
import { describeCare } from './incident-care-view.ts'
import {
  type LateMirrorView,
  toLateMirrorView,
  toUnfilledMirrorView,
  type UnfilledMirrorView,
} from './late-mirror-views.ts'
import type { LateMirror, UnfilledMirror } from './late-mirrors.ts'
import { type LatestIncidentView, toLatestIncidentView } from './latest-incident-view.ts'
import { isSystemUnhealthy, toNowHeadline } from './now-headline.ts'
import { type FailingChannelView, toFailingChannelView } from './outage-notice-view.ts'
import { type RefusedKeyView, toRefusedKeyView } from './refused-key-view.ts'
import { type StatusPill, toSystemPill } from './status-pill.ts'

export interface NowSystemView {
  /** Its id. */
  system: string
  name: string
  pill: StatusPill
  /** An operator stopped or forced its calls. */
  hold: { by: string; until: DisplayTime } | null
  calls: string
  errors: string
  p50: string
  p99: string
  /** The age of the oldest last-good value that was served instead of a response of this system. */
  staleAge: string
  impactSentences: string[]
  /** How the pause of its calls ends; empty: they are not paused. It stays while calls are tried, up to once a second. */
  callPauseHint: string
  /** The sentences say what shoppers see at this moment. */
  isCurrent: boolean
  /** Planned maintenance is the only reason. */
  isPlanned: boolean
  incidents: NowIncidentView[]
  whom: WhomToCall
  /** `null`: the system has no circuit. */
  circuitHref: string | null
}

interface NowIncidentView {
  href: string
  name: string
  since: DisplayTime
  degradedCount: string
  olderCount: string
  /** What shoppers saw, with counts; empty: unknown. */
  seen: string
  /** Who looks after it or has seen it; empty: nobody. */
  care: string
}

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
  latestIncident: LatestIncidentView | null
  refusedKeys: RefusedKeyView[]
  failingChannels: FailingChannelView[]
  /** `null`: unknown, because the store has not answered since this process started. */
  backlog: BacklogView | null
  /** This machine's mirrors that are out of date. */
  lateMirrors: LateMirrorView[]
  /** Mirrors without parts that could not be read yet. */
  unfilledMirrors: UnfilledMirrorView[]
  /** About the store and the mirrors. */
  whom: WhomToCall
}

type CircuitPathLookup = (params: CircuitPathParams) => string | null

const NO_VALUE = '–'

export function toNowPageView(
  status: CurrentStatus & { lateMirrors: readonly LateMirror[]; unfilledMirrors: readonly UnfilledMirror[] },
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
        lateMirrors: lateMirrors.length,
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
    latestIncident: status.latestIncident && toLatestIncidentView(status.latestIncident, merchants),
    refusedKeys: refusedKeys.map((key) => toRefusedKeyView(key, merchants)),
    failingChannels: status.failingChannels.map((channel) => toFailingChannelView(channel, merchants)),
    backlog,
    lateMirrors: lateMirrors.map((late) => toLateMirrorView(late, merchants)),
    unfilledMirrors: status.unfilledMirrors.map((mirror) => toUnfilledMirrorView(mirror, merchants)),
    whom: callAboutForecourt(merchants),
  }
}

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
    completeShare: tenant.completeShare === null ? NO_VALUE : formatPercent(tenant.completeShare),
    timelineHref: `/timeline?${new URLSearchParams({ merchant, mode })}`,
    systems: tenant.systems.map((system) => ({
      ...toSystemView(system, tenant, care, merchants),
      whom: callAboutSystem(merchants, { merchant, mode }, system.system),
      circuitHref: findCircuitPath({ merchant, mode, circuit: system.system }),
    })),
  }
}

function toSystemView(
  status: SystemStatus,
  { merchant }: TenantStatus,
  care: CurrentStatus['care'],
  merchants: MerchantDirectory,
): Omit<NowSystemView, 'circuitHref' | 'whom'> {
  const { system, held, impactText, lastGoodAgeMs, errorRate } = status
  const formatLatency = (ms: number | null) => (ms === null ? NO_VALUE : formatElapsedMs(ms))
  return {
    system,
    name: nameSystem(system),
    pill: toSystemPill(status),
    hold: held && { by: held.by, until: merchants.time(held.untilMs, merchant) },
    calls: formatNumber(status.calls),
    errors: errorRate === null ? NO_VALUE : formatPercent(errorRate),
    p50: formatLatency(status.p50Ms),
    p99: formatLatency(status.p99Ms),
    staleAge: lastGoodAgeMs === null ? 'none' : `${formatDuration(lastGoodAgeMs)} old`,
    impactSentences: [
      ...toMaintenanceSentences(status, merchant, merchants),
      ...impactText,
      ...toSilentSentences(status, merchant, merchants),
    ],
    callPauseHint: held === null && status.state !== 'closed' ? CALL_PAUSE_HINT : '',
    isCurrent: impactText.length > 0 || held?.isMaintenance === true,
    isPlanned: held?.isMaintenance === true && status.incidents.length === 0,
    incidents: status.incidents.map(({ incidentId, section, beganAt, answers, olderValues, impact }) => ({
      href: `/incidents/${incidentId}`,
      name: describeSection(system, section).name,
      since: merchants.time(beganAt, merchant),
      degradedCount: formatCount(answers, 'degraded response'),
      olderCount: describeOlderCount(answers, olderValues),
      seen: impact
        ? describeDegradedResponses(impact.seen, { system, section, oldestMs: impact.oldestMs }).join(', ')
        : '',
      care: describeCare(care.get(incidentId) ?? []),
    })),
  }
}

/** Says what shoppers lack as planned, and until when. */
function toMaintenanceSentences(
  { system, held }: SystemStatus,
  merchant: string,
  merchants: MerchantDirectory,
): string[] {
  // The searches of the inventory are under maintenance with it.
  if (!held?.isMaintenance || toCircuitSystem(system as CircuitName) !== system) return []
  const { text } = merchants.time(held.untilMs, merchant)
  return [`Planned maintenance until ${text}: no calls are made, and nobody is alerted.`, describeSystemEffect(system)]
}

/** Returns a sentence for each section that was degraded in its last response, and had no requests since. */
function toSilentSentences({ incidents }: SystemStatus, merchant: string, merchants: MerchantDirectory): string[] {
  const silentIncidents = incidents.filter(({ silent }) => silent)
  const incidentsByNoun = Map.groupBy(silentIncidents, ({ section }) => sectionNoun(section))
  return [...incidentsByNoun].map(([noun, group]) => {
    const { text } = merchants.time(Math.max(...group.map(({ lastAt }) => lastAt)), merchant)
    return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: no degraded response since ${text}, and no requests since then.`
  })
}
