import type { RedirectResponse } from '../console-page.ts'
import { parseTimeZone } from '../operator-time-zone.ts'
import { parseTypedTime } from '../parse-typed-time.ts'
import { formatLocalTime } from '../text/format-times.ts'

const MAX_LENGTH = 60

/** A field into which somebody types a time, or pastes one from a page. */
export interface TypedTimeField {
  /** Milliseconds since the epoch; `null`: none, or an unreadable one. */
  atMs: number | null
  /** In the time zone of the page, `2026-11-21T14:05`, with seconds if it was typed with seconds; empty: none. */
  at: string
  hasSeconds: boolean
  /** The time with its day, in UTC, if it was typed without one: tomorrow, the same text would be another time. `null`: it has a day, or there is none. */
  dated: string | null
  /** Something was typed that is no time. */
  isUnreadable: boolean
}

/** Reads a time of a query, `at` unless another field is named. The query names its time zone in `zone`: a link may come from an operator who sees another one. */
export function readTypedTimeField(
  query: URLSearchParams,
  timeZone: string,
  now: number,
  field = 'at',
): TypedTimeField {
  const text = (query.get(field) ?? '').slice(0, MAX_LENGTH)
  const typed = parseTypedTime(text, parseTimeZone(query.get('zone')) ?? timeZone, now)
  if (typed === null) return { atMs: null, at: '', hasSeconds: false, dated: null, isUnreadable: text.trim() !== '' }
  const { atMs, hasSeconds, hasDay } = typed
  const at = formatLocalTime(atMs, timeZone, hasSeconds ? 'second' : 'minute')
  const dated = hasDay ? null : `${formatLocalTime(atMs, 'UTC', 'second').slice(0, hasSeconds ? 19 : 16)}Z`
  return { atMs, at, hasSeconds, dated, isUnreadable: false }
}

/** Leads to the same page with a time that has its day, so that its link shows the same to somebody else, and tomorrow. */
export function redirectToDatedTime(path: string, query: URLSearchParams, dated: string): RedirectResponse {
  const same = new URLSearchParams(query)
  same.set('at', dated)
  return { redirect: `${path}?${same}`, message: '' }
}
