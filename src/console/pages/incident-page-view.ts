import { type CircuitChange, type Incident, type IncidentDetail, isSilent } from '../../diagnostics/incidents.ts'
import { type CodeWords, codeWords } from '../text/error-code-text.ts'
import type { Merchants } from '../merchant-directory.ts'
import { count, localTime, type Moment } from '../text/format-times.ts'
import type { Pill } from './now-page-view.ts'
import { sectionWords } from '../text/section-text.ts'
import { lasting } from '../text/format-durations.ts'

export interface IncidentShown {
  href: string
  id: string
  shop: string
  mode: string
  system: string
  section: string
  pill: Pill
  began: Moment
  /** Of the last degraded answer. */
  last: Moment
  lasted: string
  answers: string
  codes: { code: string; name: string; count: string }[]
}

export interface IncidentWhole extends IncidentShown {
  name: string
  effect: string
  /** Whether it is over, in a sentence. */
  standing: string
  /** Whether it is what shoppers see at this moment. */
  isPresent: boolean
  meanings: (CodeWords & { code: string; count: string })[]
  samples: { href: string; requestId: string; at: Moment; code: string; route: string }[]
  changes: { at: Moment; what: string; process: string }[]
  timeline: string
  circuit: string | null
}

export function incidentShown(of: Incident, merchants: Merchants, now: number): IncidentShown {
  const time = (at: number) => merchants.moment(at, of.tenant)
  return {
    ...{ href: `/incidents/${of.incidentId}`, id: of.incidentId, shop: merchants.name(of.tenant), mode: of.mode },
    ...{ system: systemName(of.system), section: sectionWords(of.system, of.section).name, pill: pillOf(of, now) },
    ...{ began: time(of.beganAt), last: time(of.lastAt), answers: count(of.answers) },
    lasted: lengthOf((of.endedAt ?? of.lastAt) - of.beganAt),
    codes: of.codes.map(({ code, count: times }) => ({ code, name: codeWords(code).name, count: count(times) })),
  }
}

/** An incident of one answer has no length. */
const lengthOf = (ms: number) => (ms < 1_000 ? 'under 1 s' : lasting(ms))

const systemName = (system: string) => system || 'Forecourt'

function pillOf(of: Incident, now: number): Pill {
  if (of.endedAt !== null) return { tone: 'well', word: 'Over' }
  return isSilent(of, now) ? { tone: 'warning', word: 'Nobody asked since' } : { tone: 'failing', word: 'Goes on' }
}

export function incidentWhole(
  of: IncidentDetail,
  circuit: string | null,
  merchants: Merchants,
  now: number,
): IncidentWhole {
  const shown = incidentShown(of, merchants, now)
  const { name, effect } = sectionWords(of.system, of.section)
  const time = (at: number) => merchants.moment(at, of.tenant)
  const lastedMs = of.lastAt - of.beganAt
  const at = localTime(of.beganAt + lastedMs / 2, merchants.zone(of.tenant))
  const around = { merchant: of.tenant, mode: of.mode, range: rangeAround(lastedMs), at }
  return {
    ...shown,
    ...{ name, effect, standing: standingOf(of, shown, { time, now }) },
    isPresent: of.endedAt === null && !isSilent(of, now),
    meanings: shown.codes.map((one) => ({ ...codeWords(one.code), ...one })),
    samples: of.samples.map(({ requestId, at, code, route }) => ({
      ...{ href: `/request?${new URLSearchParams({ id: requestId })}`, requestId, at: time(at) },
      ...{ code: codeWords(code).name, route },
    })),
    changes: of.changes.map((change) => ({ at: time(change.at), what: changeWords(change), process: change.process })),
    timeline: `/timeline?${new URLSearchParams(around)}`,
    circuit,
  }
}

function standingOf(
  of: Incident,
  { began, last, lasted }: IncidentShown,
  { time, now }: { time: (at: number) => Moment; now: number },
): string {
  if (of.endedAt === null && isSilent(of, now))
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
export const rangeAround = (ms: number): string => RANGES.find(([, of]) => ms < of * 0.9)?.[0] ?? '30d'
