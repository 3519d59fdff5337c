/** A time as a page shows it: a text in the merchant's time zone, and the RFC 3339 time in UTC for machines. */
export interface DisplayTime {
  iso: string
  text: string
}

interface TimeZoneFormats {
  day: Intl.DateTimeFormat
  time: Intl.DateTimeFormat
  zone: Intl.DateTimeFormat
}

const formatsByTimeZone = new Map<string, TimeZoneFormats>()

function getFormats(timeZone: string): TimeZoneFormats {
  const existing = formatsByTimeZone.get(timeZone)
  if (existing) return existing
  const createFormat = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
  const formats = {
    day: createFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
    time: createFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    zone: createFormat({ timeZoneName: 'short' }),
  }
  formatsByTimeZone.set(timeZone, formats)
  return formats
}

/** Formats a time of today as `14:05:07 EST`, and of another day as `20 Nov 2026, 14:05:07 EST`. `now`: `null` for a time with its date always. */
export function formatTime(at: string | number, timeZone: string, now: number | null): DisplayTime {
  const date = new Date(at)
  const { day, time, zone } = getFormats(timeZone)
  const zoneName = zone.formatToParts(date).find(({ type }) => type === 'timeZoneName')!.value
  const timeText = `${time.format(date)} ${zoneName}`
  const isToday = now !== null && day.format(date) === day.format(now)
  return { iso: date.toISOString(), text: isToday ? timeText : `${day.format(date)}, ${timeText}` }
}

/** Formats milliseconds since the epoch as the value of a `datetime-local` field. */
export const formatLocalTime = (at: number, timeZone: string, smallestUnit: 'minute' | 'second' = 'minute'): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at))
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit })
