import { formatDuration } from './format-durations.ts'

/** A point in time as a page shows it: where the merchant is, and for machines and tooltips in UTC. */
export interface DisplayTime {
  iso: string
  text: string
}

const formats = new Map<string, { day: Intl.DateTimeFormat; time: Intl.DateTimeFormat; zone: Intl.DateTimeFormat }>()

function formatsOf(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
  const made = {
    day: of({ day: 'numeric', month: 'short', year: 'numeric' }),
    time: of({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    zone: of({ timeZoneName: 'short' }),
  }
  formats.set(timeZone, made)
  return made
}

/** `14:05:07 EST`, of another day than today `20 Nov 2026, 14:05:07 EST`. Support staff think in the shop's hours. */
export function formatTime(at: string | number, timeZone: string, now: number): DisplayTime {
  const date = new Date(at)
  const { day, time, zone } = formatsOf(timeZone)
  const named = zone.formatToParts(date).find(({ type }) => type === 'timeZoneName')!.value
  const clock = `${time.format(date)} ${named}`
  const today = day.format(date) === day.format(now)
  return { iso: date.toISOString(), text: today ? clock : `${day.format(date)}, ${clock}` }
}

/** `2026-11-21T14:05` as clocks in that zone show it, in milliseconds since the epoch; `null`: it is no time. */
export function parseLocalTime(text: string | null, timeZone: string): number | null {
  if (!text) return null
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
  } catch {
    return null
  }
}

/** The same the other way round: as a form field for a date and a time has it. */
export const formatLocalTime = (at: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at))
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

/** `99.97 %`, which no line is broken within; never rounded up to what is not true: 100 % and 0 % are said of all and of none alone. */
export function formatPercent(share: number): string {
  if (share <= 0) return '0\u00a0%'
  if (share >= 1) return '100\u00a0%'
  const shown = Math.min(99.99, Math.max(0.01, share * 100))
  return `${shown >= 10 && shown < 99.9 ? shown.toFixed(1) : shown.toFixed(2)}\u00a0%`
}

const grouped = new Intl.NumberFormat('en-GB')
/** `12,345`. */
export const formatNumber = (number: number): string => grouped.format(number)
/** `1 answer`, `12,345 answers`. */
export const formatCount = (number: number, what: string): string =>
  `${formatNumber(number)} ${pluralize(number, what)}`
/** `answer` of one, `answers` of any other number: where the number stands in a tag of its own. */
export const pluralize = (number: number, one: string, several = `${one}s`): string => (number === 1 ? one : several)

const LONG_MS = 10_000
/** `1,500 ms`, as a time is compared with a limit; `12 s` when it is out of all reason. */
export const formatElapsedMs = (ms: number): string =>
  ms < LONG_MS ? `${formatNumber(Math.round(ms))} ms` : formatDuration(ms)
