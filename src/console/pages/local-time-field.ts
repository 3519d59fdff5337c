import { parseTimeZone } from '../operator-time-zone.ts'
import { formatLocalTime } from '../text/format-times.ts'
import { parseLocalTime } from '../text/parse-local-time.ts'

/** A local time of a form, as milliseconds since the epoch and as the text of its field in the time zone of the page. */
export interface LocalTimeField {
  /** `null`: none, or an unreadable one. */
  atMs: number | null
  text: string
}

/** Reads a field of a query. The query names its time zone in `zone`, because a link may come from an operator who sees another one. */
export function readLocalTimeField(query: URLSearchParams, field: string, timeZone: string): LocalTimeField {
  const atMs = parseLocalTime(query.get(field), parseTimeZone(query.get('zone')) ?? timeZone)
  return { atMs, text: atMs === null ? '' : formatLocalTime(atMs, timeZone) }
}
