import type { Backlog, MerchantNow, NowView, SystemNow } from '../../diagnostics/status/current-status.ts'
import { nounOf } from '../../diagnostics/status/shopper-impact-text.ts'
import type { CircuitAt } from './circuit-paths.ts'
import { headlineOf, isTroubled } from './now-headline.ts'
import type { Merchants } from '../merchant-directory.ts'
import { count, counted, type Moment, nounFor, percent, took } from '../text/format-times.ts'
import { sectionWords } from '../text/section-text.ts'
import { lasting } from '../text/format-durations.ts'

/** A state as a word; the tone is its shape and colour. */
export interface Pill {
  tone: 'well' | 'warning' | 'failing' | ''
  word: string
}

export interface SystemShown {
  system: string
  pill: Pill
  /** Of a circuit that somebody holds. */
  held: { by: string; until: Moment } | null
  calls: string
  errors: string
  p50: string
  p99: string
  /** The age of what is served in place of its answers. */
  olderValues: string
  words: string[]
  /** Whether that is what shoppers see at this moment. */
  isPresent: boolean
  incidents: { href: string; name: string; since: Moment; answers: string }[]
  /** `null`: it has none. */
  circuit: string | null
}

export interface MerchantShown {
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
  systems: SystemShown[]
}

export interface NowShown {
  /** The whole in a sentence. */
  headline: Pill
  processes: number
  merchants: MerchantShown[]
  /** Nobody asked, and nothing is wrong. */
  quiet: MerchantShown[]
  waiting: { orders: string; oldest: Moment | null } | null
  webhooks: {
    failing: number
    failingNoun: string
    struggling: number
    disabled: number
    due: string
    dueNoun: string
    oldest: Moment | null
  }
}

type WayOf = (at: CircuitAt) => string | null

const NONE = '–'

export function nowShown(view: NowView, merchants: Merchants, wayOf: WayOf): NowShown {
  const shown = view.merchants.map((one) => ({ of: one, shown: merchantShown(one, merchants, wayOf) }))
  const troubled = shown.filter((one) => one.shown.troubled)
  const busy = shown.filter((one) => !one.shown.troubled && one.of.answers > 0)
  const quiet = shown.filter((one) => !one.shown.troubled && one.of.answers === 0)
  const { waitingOrders, webhooks } = view
  const time = ({ oldest }: Backlog) => oldest && merchants.moment(oldest.at, oldest.merchant)
  return {
    headline: headlineOf(troubled.map((one) => one.of)),
    processes: view.processes,
    merchants: [...troubled, ...busy].map((one) => one.shown),
    quiet: quiet.map((one) => one.shown),
    waiting: waitingOrders.count > 0 ? { orders: count(waitingOrders.count), oldest: time(waitingOrders) } : null,
    webhooks: {
      ...{ failing: webhooks.failing, struggling: webhooks.struggling, disabled: webhooks.disabled },
      failingNoun: nounFor(webhooks.failing, 'endpoint'),
      ...{ due: count(webhooks.due.count), oldest: time(webhooks.due) },
      dueNoun: nounFor(webhooks.due.count, 'delivery is', 'deliveries are'),
    },
  }
}

function merchantShown(of: MerchantNow, merchants: Merchants, wayOf: WayOf): MerchantShown {
  const { merchant, mode } = of
  return {
    ...{ id: `${merchant}-${mode}`, name: of.name, mode, troubled: of.systems.some(isTroubled) },
    ...{ answers: count(of.answers), answersNoun: nounFor(of.answers, 'answer') },
    ...{ complete: of.completeShare === null ? NONE : percent(of.completeShare) },
    timeline: `/timeline?${new URLSearchParams({ merchant, mode })}`,
    systems: of.systems.map((system) => ({
      ...systemShown(system, of, merchants),
      circuit: wayOf({ merchant, mode, system: system.system }),
    })),
  }
}

function systemShown(of: SystemNow, { merchant }: MerchantNow, merchants: Merchants): Omit<SystemShown, 'circuit'> {
  const ms = (value: number | null) => (value === null ? NONE : took(value))
  return {
    system: of.system,
    pill: pillOf(of),
    held: of.held && { by: of.held.by, until: merchants.moment(of.held.untilMs, merchant) },
    ...{ calls: count(of.calls), errors: of.errorRate === null ? NONE : percent(of.errorRate) },
    ...{ p50: ms(of.p50Ms), p99: ms(of.p99Ms) },
    olderValues: of.lastGoodAgeMs === null ? 'none' : `${lasting(of.lastGoodAgeMs)} old`,
    ...{ words: [...of.words, ...silentWords(of, merchant, merchants)], isPresent: of.words.length > 0 },
    incidents: of.incidents.map(({ incidentId, section, beganAt, answers }) => ({
      href: `/incidents/${incidentId}`,
      name: sectionWords(of.system, section).name,
      since: merchants.moment(beganAt, merchant),
      answers: counted(answers, 'answer'),
    })),
  }
}

/** Of each thing that was degraded when somebody last asked for it. */
function silentWords({ incidents }: SystemNow, merchant: string, merchants: Merchants): string[] {
  const byNoun = Map.groupBy(
    incidents.filter(({ silent }) => silent),
    ({ section }) => nounOf(section),
  )
  return [...byNoun].map(([noun, of]) => {
    const { text } = merchants.moment(Math.max(...of.map(({ lastAt }) => lastAt)), merchant)
    return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: no degraded answer since ${text}; nobody has asked since.`
  })
}

export function pillOf({
  state,
  held,
  incidents,
  openIn,
}: Pick<SystemNow, 'state' | 'held' | 'incidents' | 'openIn'>): Pill {
  if (held) return { tone: held.state === 'open' ? 'failing' : 'warning', word: `Held ${held.state}` }
  if (state === 'open')
    return { tone: 'failing', word: openIn > 1 ? `Circuit open in ${openIn} processes` : 'Circuit open' }
  if (state === 'half-open') return { tone: 'warning', word: 'Trying again' }
  if (incidents.some(({ silent }) => !silent)) return { tone: 'failing', word: 'Degraded' }
  if (incidents.length > 0) return { tone: 'warning', word: 'Nobody asked since' }
  return { tone: 'well', word: 'Well' }
}
