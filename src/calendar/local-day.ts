const MINUTE_MS = 60_000

/** Returns the function that gives the day (YYYY-MM-DD) of an instant in a time zone. It formats once a minute, because a day begins with a full minute. */
export function createLocalDay(timeZone: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  let last = { minute: Number.NaN, day: '' }
  return (instant) => {
    const minute = Math.floor(instant.getTime() / MINUTE_MS)
    if (minute !== last.minute) last = { minute, day: format.format(instant) }
    return last.day
  }
}
