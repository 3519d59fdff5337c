import { formatLocalTime, formatTime } from './text/format-times.ts'
import { parseLocalTime } from './text/parse-local-time.ts'

/** A time that somebody typed, or copied from a page. */
export interface TypedTime {
  /** Milliseconds since the epoch. */
  atMs: number
  hasSeconds: boolean
  hasDay: boolean
}

const CLOCK = /(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?: ?(?<half>[ap]m)\b)?/
const DAY = /(?:(?<day>\d{4}-\d\d-\d\d)[ T]|(?<written>\d{1,2} [a-z]{3} \d{4}),? )?/
const ZONE = /(?: ?(?<zone>Z|[a-z][\w/]*(?:[+-][\d:]+)?|[+-]\d\d:?\d\d))?/
const TYPED_TIME = new RegExp(`^${DAY.source}${CLOCK.source}${ZONE.source}$`, 'i')
const OFFSET = /^(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d\d))?$/i
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Parses `19:46`, `19:46:22`, `7:46 pm`, `2026-11-21 19:46`, `21 Nov 2026, 19:46:22 UTC` and the like. Without a day, it is the latest such time
 * that is not in the future; without a zone, a time in `timeZone`. Returns `null` for any other text.
 */
export function parseTypedTime(text: string, timeZone: string, now: number): TypedTime | null {
  const { day, written, hour, minute, second, half, zone: typedZone } = TYPED_TIME.exec(text.trim())?.groups ?? {}
  if (hour === undefined) return null
  const clock = `${toHour(Number(hour), half?.toLowerCase()).toString().padStart(2, '0')}:${minute}:${second ?? '00'}`
  const typedDay = written === undefined ? (day ?? null) : toIsoDay(written)
  const read = (zone: string | null): number | null => {
    if (zone === null || (written !== undefined && typedDay === null)) return null
    if (typedDay !== null) return parseLocalTime(`${typedDay}T${clock}`, zone)
    const today = formatLocalTime(now, zone).slice(0, 10)
    const atToday = parseLocalTime(`${today}T${clock}`, zone)
    return atToday !== null && atToday > now ? parseLocalTime(`${toDayBefore(today)}T${clock}`, zone) : atToday
  }
  const here = read(timeZone)
  const atMs = typedZone === undefined || isNameHere(typedZone, here, timeZone) ? here : read(toZone(typedZone))
  return atMs === null ? null : { atMs, hasSeconds: second !== undefined, hasDay: typedDay !== null }
}

function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

function toIsoDay(written: string): string | null {
  const [day, month, year] = written.split(' ') as [string, string, string]
  const index = MONTHS.indexOf(month.toLowerCase())
  return index === -1 ? null : `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Subtracts by the calendar: a day on which summer time begins or ends does not have 24 hours. */
const toDayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()

/** Returns whether pages in this time zone write this name beside a time, such as `EST`. */
const isNameHere = (name: string, at: number | null, timeZone: string): boolean =>
  at !== null && formatTime(at, timeZone, at).text.toLowerCase().endsWith(` ${name.toLowerCase()}`)

/**
 * Returns the time zone of a name or an offset; `null`: there is none. Only names of the database of time zones count: Intl also knows three
 * letters that mean something else to most people, such as BST (Bangladesh) and AST (Alaska).
 */
function toZone(name: string): string | null {
  if (/^(?:Z|UTC|GMT)$/i.test(name)) return 'UTC'
  const { sign, hours, minutes = '00' } = OFFSET.exec(name)?.groups ?? {}
  const zone = sign === undefined ? name : `${sign}${hours!.padStart(2, '0')}:${minutes}`
  return parseLocalTime('2000-01-01T00:00', zone) === null ? null : zone
}
