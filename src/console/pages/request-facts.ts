import type { RequestRecord } from '../../diagnostics/reports/request-records.ts'
import { describeRoute } from '../text/route-text.ts'

const cacheTexts: Readonly<Record<string, string>> = {
  hit: 'served from the cache',
  stale: 'an older value from the cache, which was refreshed in the background',
  miss: 'not in the cache',
  bypass: 'not cached, because it was degraded or contains data of one shopper',
  none: 'never cached',
}

export const toRequestFacts = (record: RequestRecord): [name: string, value: string][] => [
  ['Id', record.requestId],
  ['Request', `${record.method} ${record.path}`],
  ['What was asked', `${describeRoute(record.route)} (${record.route})`],
  ['Status', String(record.status)],
  ['Cache', cacheTexts[record.cache] ?? record.cache],
  ...(record.keyId === null ? [] : ([['Key', record.keyId]] as [string, string][])),
  ...(record.customerId === null ? [] : ([['Customer', record.customerId]] as [string, string][])),
  ['Process', record.process],
]
