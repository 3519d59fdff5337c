import type {
  BacklogSummary,
  CurrentStatus,
  SystemStatus,
  TenantStatus,
} from '../../diagnostics/status/current-status.ts'
import { sectionNoun } from '../../diagnostics/status/shopper-impact-text.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatDuration } from '../text/format-durations.ts'
import {
  type DisplayTime,
  formatCount,
  formatElapsedMs,
  formatNumber,
  formatPercent,
  pluralize,
} from '../text/format-times.ts'
import { describeSection } from '../text/section-text.ts'
import type { CircuitPathParams } from './circuit-paths.ts'
import { isSystemUnhealthy, toNowHeadline } from './now-headline.ts'

/** A state as a word; the tone is its shape and colour. */
export interface StatusPill {
  tone: 'well' | 'warning' | 'failing' | ''
  word: string
}

export interface NowSystemView {
  system: string
  pill: StatusPill
  /** Of a circuit that somebody holds. */
  held: { by: string; until: DisplayTime } | null
  calls: string
  errors: string
  p50: string
  p99: string
  /** The age of what is served in place of its answers. */
  olderValues: string
  words: string[]
  /** Whether that is what shoppers see at this moment. */
  isPresent: boolean
  incidents: { href: string; name: string; since: DisplayTime; answers: string }[]
  /** `null`: it has none. */
  circuit: string | null
}

export interface NowMerchantView {
  /** For the anchor, and for what a screen reader is told of. */
  id: string
  name: string
  mode: string
  troubled: boolean
  answers: string
  /** What stands after that number. */
  answersNoun: string
  complete: string
  timeline: string
  systems: NowSystemView[]
}

export interface NowPageView {
  /** The whole in a sentence. */
  headline: StatusPill
  processes: number
  merchants: NowMerchantView[]
  /** Nobody asked, and nothing is wrong. */
  quiet: NowMerchantView[]
  waiting: { orders: string; oldest: DisplayTime | null } | null
  webhooks: {
    failing: number
    failingNoun: string
    struggling: number
    disabled: number
    due: string
    dueNoun: string
    oldest: DisplayTime | null
  }
}

type WayOf = (at: CircuitPathParams) => string | null

const NONE = '–'

export function toNowPageView(view: CurrentStatus, merchants: MerchantDirectory, wayOf: WayOf): NowPageView {
  const shown = view.merchants.map((one) => ({ of: one, shown: merchantShown(one, merchants, wayOf) }))
  const troubled = shown.filter((one) => one.shown.troubled)
  const busy = shown.filter((one) => !one.shown.troubled && one.of.answers > 0)
  const quiet = shown.filter((one) => !one.shown.troubled && one.of.answers === 0)
  const { waitingOrders, webhooks } = view
  const time = ({ oldest }: BacklogSummary) => oldest && merchants.moment(oldest.at, oldest.merchant)
  return {
    headline: toNowHeadline(troubled.map((one) => one.of)),
    processes: view.processes,
    merchants: [...troubled, ...busy].map((one) => one.shown),
    quiet: quiet.map((one) => one.shown),
    waiting:
      waitingOrders.count > 0 ? { orders: formatNumber(waitingOrders.count), oldest: time(waitingOrders) } : null,
    webhooks: {
      ...{ failing: webhooks.failing, struggling: webhooks.struggling, disabled: webhooks.disabled },
      failingNoun: pluralize(webhooks.failing, 'endpoint'),
      ...{ due: formatNumber(webhooks.due.count), oldest: time(webhooks.due) },
      dueNoun: pluralize(webhooks.due.count, 'delivery is', 'deliveries are'),
    },
  }
}

function merchantShown(of: TenantStatus, merchants: MerchantDirectory, wayOf: WayOf): NowMerchantView {
  const { merchant, mode } = of
  return {
    ...{ id: `${merchant}-${mode}`, name: of.name, mode, troubled: of.systems.some(isSystemUnhealthy) },
    ...{ answers: formatNumber(of.answers), answersNoun: pluralize(of.answers, 'answer') },
    ...{ complete: of.completeShare === null ? NONE : formatPercent(of.completeShare) },
    timeline: `/timeline?${new URLSearchParams({ merchant, mode })}`,
    systems: of.systems.map((system) => ({
      ...systemShown(system, of, merchants),
      circuit: wayOf({ merchant, mode, system: system.system }),
    })),
  }
}

function systemShown(
  of: SystemStatus,
  { merchant }: TenantStatus,
  merchants: MerchantDirectory,
): Omit<NowSystemView, 'circuit'> {
  const ms = (value: number | null) => (value === null ? NONE : formatElapsedMs(value))
  return {
    system: of.system,
    pill: toSystemPill(of),
    held: of.held && { by: of.held.by, until: merchants.moment(of.held.untilMs, merchant) },
    ...{ calls: formatNumber(of.calls), errors: of.errorRate === null ? NONE : formatPercent(of.errorRate) },
    ...{ p50: ms(of.p50Ms), p99: ms(of.p99Ms) },
    olderValues: of.lastGoodAgeMs === null ? 'none' : `${formatDuration(of.lastGoodAgeMs)} old`,
    ...{ words: [...of.impactText, ...silentWords(of, merchant, merchants)], isPresent: of.impactText.length > 0 },
    incidents: of.incidents.map(({ incidentId, section, beganAt, answers }) => ({
      href: `/incidents/${incidentId}`,
      name: describeSection(of.system, section).name,
      since: merchants.moment(beganAt, merchant),
      answers: formatCount(answers, 'answer'),
    })),
  }
}

/** Of each thing that was degraded when somebody last asked for it. */
function silentWords({ incidents }: SystemStatus, merchant: string, merchants: MerchantDirectory): string[] {
  const byNoun = Map.groupBy(
    incidents.filter(({ silent }) => silent),
    ({ section }) => sectionNoun(section),
  )
  return [...byNoun].map(([noun, of]) => {
    const { text } = merchants.moment(Math.max(...of.map(({ lastAt }) => lastAt)), merchant)
    return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: no degraded answer since ${text}; nobody has asked since.`
  })
}

export function toSystemPill({
  state,
  held,
  incidents,
  openIn,
}: Pick<SystemStatus, 'state' | 'held' | 'incidents' | 'openIn'>): StatusPill {
  if (held) return { tone: held.state === 'open' ? 'failing' : 'warning', word: `Held ${held.state}` }
  if (state === 'open')
    return { tone: 'failing', word: openIn > 1 ? `Circuit open in ${openIn} processes` : 'Circuit open' }
  if (state === 'half-open') return { tone: 'warning', word: 'Trying again' }
  if (incidents.some(({ silent }) => !silent)) return { tone: 'failing', word: 'Degraded' }
  if (incidents.length > 0) return { tone: 'warning', word: 'Nobody asked since' }
  return { tone: 'well', word: 'Well' }
}
