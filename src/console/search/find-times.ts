import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatLocalTime, parseLocalTime } from '../text/format-times.ts'
import type { SearchMatch } from './search-match.ts'

/** `19:46`, `19:46:22` and `7:46 pm`, of today or of yesterday, or of a day before it: `2026-11-21 19:46`. */
const CLOCK_TIME = /^(?:(?<day>\d{4}-\d\d-\d\d)[ T])?(?<hour>\d{1,2}):(?<minute>\d\d)(?::\d\d)? ?(?<half>[ap]m)?$/i

/** Offers the incidents around a clock time in the time zone of the pages: the latest such time that is not in the future. */
export function findTimes(merchants: MerchantDirectory, text: string, now: number): SearchMatch[] {
  const { day, hour, minute, half } = CLOCK_TIME.exec(text)?.groups ?? {}
  if (hour === undefined || minute === undefined) return []
  const zone = merchants.inOneTimeZone.timeZone(null)
  const clock = `${toHour(Number(hour), half?.toLowerCase()).toString().padStart(2, '0')}:${minute}`
  const today = formatLocalTime(now, zone).slice(0, 10)
  const isFuture = (parseLocalTime(`${today}T${clock}`, zone) ?? 0) > now
  const at = `${day ?? (isFuture ? toDayBefore(today) : today)}T${clock}`
  const atMs = parseLocalTime(at, zone)
  if (atMs === null) return []
  return [
    {
      kind: 'Time',
      name: `Incidents around ${clock}`,
      href: `/incidents?${new URLSearchParams({ at, zone })}`,
      note: merchants.inOneTimeZone.timeWithDate(atMs, null).text,
      row: null,
    },
  ]
}

function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** Of the calendar: a day that begins or ends summer time has not 24 hours. */
const toDayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
