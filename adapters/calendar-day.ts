/** Returns the date (YYYY-MM-DD) of a time in a time zone. */
export const dateInTimeZone = (timeZone: string, ms: Date): string => formatsFor(timeZone).day.format(ms)

/** Returns the start of a day in a time zone as RFC 3339 in UTC. */
export function startOfDay(day: string, timeZone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // Twice, because the first guess may lie on the other side of a change of clocks.
  const guess = utc - offsetMs(utc, timeZone)
  return new Date(utc - offsetMs(guess, timeZone)).toISOString()
}

function offsetMs(ms: number, timeZone: string): number {
  const parts = formatsFor(timeZone).moment.formatToParts(ms)
  const byType = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return (
    Date.parse(`${byType.year}-${byType.month}-${byType.day}T${byType.hour}:${byType.minute}:${byType.second}Z`) - ms
  )
}

/** The formats of each time zone: creating one takes forty times as long as using it. */
const formats = new Map<string, { day: Intl.DateTimeFormat; moment: Intl.DateTimeFormat }>()

function formatsFor(timeZone: string) {
  const cached = formats.get(timeZone)
  if (cached) return cached
  const date = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const created = {
    day: new Intl.DateTimeFormat('en-CA', date),
    moment: new Intl.DateTimeFormat('en-CA', { ...date, ...clock }),
  }
  formats.set(timeZone, created)
  return created
}
