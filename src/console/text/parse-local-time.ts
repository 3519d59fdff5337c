/** Times in the store have four digits for the year. A period around a time begins and ends within a month of it. */
const [EARLIEST, LATEST] = ['0001-02-01T00:00:00Z', '9999-12-01T00:00:00Z'].map((at) => Date.parse(at)) as [
  number,
  number,
]

/** Parses a local time (`2026-11-21T14:05`) to milliseconds since the epoch. Returns `null` if the text is no time with a year from 1 to 9999. */
export function parseLocalTime(text: string | null, timeZone: string): number | null {
  if (!text) return null
  try {
    const at = Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
    return at >= EARLIEST && at <= LATEST ? at : null
  } catch {
    return null
  }
}
