import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { toRequestRecord } from '../../diagnostics/reports/request-records.ts'
import type { Database } from '../../storage/database.ts'
import { searchRequestRecords } from '../../storage/diagnostics/search-request-records.ts'
import { formatCount, formatNumber } from '../text/format-numbers.ts'

const MAX_RECORDS = 200
const MAX_PATHS = 3

/**
 * Lists the recorded requests that were refused because of a key, by method and path, the most frequent first. Their operation is not known, because
 * keys are checked first. Returns an empty text if none is recorded.
 */
export async function describeRefusedKeyRequests(
  db: Database,
  { tenant: merchant, mode, section: keyId, beganAt, lastAt }: Incident,
): Promise<string> {
  const during = { from: new Date(beganAt).toISOString(), to: new Date(lastAt).toISOString() }
  const search = { merchant, mode, kinds: ['refused'] as const, keyId, during, limit: MAX_RECORDS }
  const records = (await searchRequestRecords(db, search)).map(toRequestRecord)
  if (records.length === 0) return ''
  const byPath = [...Map.groupBy(records, ({ method, path }) => `${method} ${path}`)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const shown = byPath.slice(0, MAX_PATHS).map(([path, { length }]) => `${formatNumber(length)} × ${path}`)
  const others = byPath.slice(MAX_PATHS).reduce((sum, [, { length }]) => sum + length, 0)
  return `The recorded requests with this key: ${[...shown, ...(others > 0 ? [`${formatCount(others, 'other request')}`] : [])].join(', ')}.`
}
