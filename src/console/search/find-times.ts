import type { MerchantDirectory } from '../merchant-directory.ts'
import { parseTypedTime } from '../parse-typed-time.ts'
import { formatLocalTime } from '../text/format-times.ts'
import type { SearchMatch } from './search-match.ts'

/** Offers the incidents around a clock time in the time zone of the pages, if it names no other: the latest such time that is not in the future. */
export function findTimes(merchants: MerchantDirectory, text: string, now: number): SearchMatch[] {
  const zone = merchants.inOneTimeZone.timeZone(null)
  const typed = parseTypedTime(text, zone, now)
  if (typed === null) return []
  const at = formatLocalTime(typed.atMs, zone, typed.hasSeconds ? 'second' : 'minute')
  return [
    {
      kind: 'Time',
      name: `Incidents around ${at.slice(11)}`,
      href: `/incidents?${new URLSearchParams({ at, zone })}`,
      note: merchants.inOneTimeZone.timeWithDate(typed.atMs, null).text,
      row: null,
    },
  ]
}
