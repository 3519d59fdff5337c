import type { RequestRecord } from '../../diagnostics/reports/request-records.ts'
import { toCustomerPath, toProductPath } from '../page-paths.ts'
import { describeRoute, toShownRoute } from '../text/route-text.ts'

const cacheTexts: Readonly<Record<string, string>> = {
  hit: 'served from the cache',
  stale: 'an older value from the cache, which was refreshed in the background',
  miss: 'not in the cache',
  bypass: 'not cached, because it was degraded or contains data of one shopper',
  none: 'never cached',
}

/** `href`: the page of what the value names; absent: it has none. */
export type RequestFact = [name: string, value: string, href?: string]

export function toRequestFacts(record: RequestRecord): RequestFact[] {
  const { tenant, mode, keyId, customerId, refusedSkus = [] } = record
  const shownRoute = toShownRoute(record.route)
  return [
    ['Id', record.requestId],
    ['Request', `${record.method} ${record.path}`],
    ['What was asked', describeRoute(record.route) + (shownRoute === '' ? '' : ` (${shownRoute})`)],
    ['Status', String(record.status)],
    ...refusedSkus.map(
      (sku): RequestFact => withLink(['Refused SKU', sku], tenant && toProductPath(tenant, mode, sku)),
    ),
    ['Cache', cacheTexts[record.cache] ?? record.cache],
    ...(keyId === null ? [] : [['Key', keyId] satisfies RequestFact]),
    ...(customerId === null
      ? []
      : [withLink(['Customer', customerId], tenant && toCustomerPath(tenant, mode, customerId))]),
    ['Process', record.process],
  ]
}

const withLink = ([name, value]: RequestFact, href: string | null): RequestFact =>
  href === null ? [name, value] : [name, value, href]
