import {
  type CircuitChange,
  type Incident,
  type IncidentDetail,
  isIncidentSilent,
} from '../../diagnostics/incidents.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { describeErrorCode, type ErrorCodeText } from '../text/error-code-text.ts'
import { formatDuration } from '../text/format-durations.ts'
import { type DisplayTime, formatLocalTime, formatNumber } from '../text/format-times.ts'
import { describeSection } from '../text/section-text.ts'
import type { StatusPill } from './now-page-view.ts'

export interface IncidentRowView {
  href: string
  id: string
  shop: string
  mode: string
  system: string
  section: string
  pill: StatusPill
  began: DisplayTime
  /** Of the last degraded answer. */
  last: DisplayTime
  lasted: string
  answers: string
  codes: { code: string; name: string; count: string }[]
}

export interface IncidentPageView extends IncidentRowView {
  name: string
  effect: string
  /** Whether it is over, in a sentence. */
  standing: string
  /** Whether it is what shoppers see at this moment. */
  isPresent: boolean
  meanings: (ErrorCodeText & { code: string; count: string })[]
  samples: { href: string; requestId: string; at: DisplayTime; code: string; route: string }[]
  changes: { at: DisplayTime; what: string; process: string }[]
  timeline: string
  circuit: string | null
}

export function toIncidentRowView(of: Incident, merchants: MerchantDirectory, now: number): IncidentRowView {
  const time = (at: number) => merchants.moment(at, of.tenant)
  return {
    ...{ href: `/incidents/${of.incidentId}`, id: of.incidentId, shop: merchants.name(of.tenant), mode: of.mode },
    ...{ system: systemName(of.system), section: describeSection(of.system, of.section).name, pill: pillOf(of, now) },
    ...{ began: time(of.beganAt), last: time(of.lastAt), answers: formatNumber(of.answers) },
    lasted: lengthOf((of.endedAt ?? of.lastAt) - of.beganAt),
    codes: of.codes.map(({ code, count: times }) => ({
      code,
      name: describeErrorCode(code).name,
      count: formatNumber(times),
    })),
  }
}

/** An incident of one answer has no length. */
const lengthOf = (ms: number) => (ms < 1_000 ? 'under 1 s' : formatDuration(ms))

const systemName = (system: string) => system || 'Forecourt'

function pillOf(of: Incident, now: number): StatusPill {
  if (of.endedAt !== null) return { tone: 'well', word: 'Over' }
  return isIncidentSilent(of, now)
    ? { tone: 'warning', word: 'Nobody asked since' }
    : { tone: 'failing', word: 'Goes on' }
}

export function toIncidentPageView(
  of: IncidentDetail,
  circuit: string | null,
  merchants: MerchantDirectory,
  now: number,
): IncidentPageView {
  const shown = toIncidentRowView(of, merchants, now)
  const { name, effect } = describeSection(of.system, of.section)
  const time = (at: number) => merchants.moment(at, of.tenant)
  const lastedMs = of.lastAt - of.beganAt
  const at = formatLocalTime(of.beganAt + lastedMs / 2, merchants.zone(of.tenant))
  const around = { merchant: of.tenant, mode: of.mode, range: chooseTimelineRange(lastedMs), at }
  return {
    ...shown,
    ...{ name, effect, standing: standingOf(of, shown, { time, now }) },
    isPresent: of.endedAt === null && !isIncidentSilent(of, now),
    meanings: shown.codes.map((one) => ({ ...describeErrorCode(one.code), ...one })),
    samples: of.samples.map(({ requestId, at, code, route }) => ({
      ...{ href: `/request?${new URLSearchParams({ id: requestId })}`, requestId, at: time(at) },
      ...{ code: describeErrorCode(code).name, route },
    })),
    changes: of.changes.map((change) => ({ at: time(change.at), what: changeWords(change), process: change.process })),
    timeline: `/timeline?${new URLSearchParams(around)}`,
    circuit,
  }
}

function standingOf(
  of: Incident,
  { began, last, lasted }: IncidentRowView,
  { time, now }: { time: (at: number) => DisplayTime; now: number },
): string {
  if (of.endedAt === null && isIncidentSilent(of, now))
    return `No degraded answer since ${last.text}; nobody has asked since. The first was given at ${began.text}. It is over when a good answer is given, or when nobody has asked for five minutes.`
  if (of.endedAt === null)
    return `It goes on: the first degraded answer was given at ${began.text}, the latest at ${last.text}.`
  const well = of.wellAt !== null && of.wellAt >= of.lastAt ? ` It was seen well again at ${time(of.wellAt).text}.` : ''
  const unseen = well === '' ? ' Nobody has asked for it since, so it counts as over.' : ''
  return `It is over since ${last.text}, and lasted ${lasted}.${well}${unseen}`
}

const changes: Readonly<Record<CircuitChange['state'], (by: string) => string>> = {
  open: () => 'opened: the system failed too often, and is asked no more for a while',
  closed: () => 'closed: the system is asked again',
  held_open: (by) => `held open by ${by}: the system is not asked`,
  held_closed: (by) => `held closed by ${by}: the system is asked, however often it fails`,
  released: (by) => (by ? `let go of by ${by}` : 'let go of: the time of the hold was over'),
}

const changeWords = ({ state, by }: CircuitChange): string => changes[state](by ?? '')

const RANGES = [
  ['1h', 3_600_000],
  ['6h', 6 * 3_600_000],
  ['24h', 24 * 3_600_000],
  ['7d', 7 * 86_400_000],
] as const

/** The shortest range of the timeline that has all of it, when it lies in the middle. */
export const chooseTimelineRange = (ms: number): string => RANGES.find(([, of]) => ms < of * 0.9)?.[0] ?? '30d'
