/** YYYY-MM-DD of a moment where the merchant is. */
export const dateInTimeZone = (timeZone: string, at: Date): string => formatsOf(timeZone).day.format(at)

/** RFC 3339, UTC: when a day of the merchant's began. Tryton dates documents, and keeps no time of day for them. */
export function startOfDay(day: string, timeZone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // Twice, because the first guess may lie on the other side of a change of clocks.
  const guess = utc - offsetMs(utc, timeZone)
  return new Date(utc - offsetMs(guess, timeZone)).toISOString()
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

function offsetMs(at: number, timeZone: string): number {
  const parts = formatsOf(timeZone).moment.formatToParts(at)
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return Date.parse(`${of.year}-${of.month}-${of.day}T${of.hour}:${of.minute}:${of.second}Z`) - at
}

/** One of each for a zone: to make one takes forty times as long as to use it. */
const formats = new Map<string, { day: Intl.DateTimeFormat; moment: Intl.DateTimeFormat }>()

function formatsOf(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const date = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const made = {
    day: new Intl.DateTimeFormat('en-CA', date),
    moment: new Intl.DateTimeFormat('en-CA', { ...date, ...clock }),
  }
  formats.set(timeZone, made)
  return made
}
