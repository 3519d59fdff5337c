import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import { toCartPath, toCustomerPath, toOrderPath, toProductPath } from '../../page-paths.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'
import { describeRoute, toShownRoute } from '../../text/route-text.ts'

const cacheTexts: Readonly<Record<string, string>> = {
  hit: 'served from the cache',
  stale: 'an older value from the cache, which was refreshed in the background',
  miss: 'not in the cache',
  bypass: 'not cached, because it was degraded or contains data of one shopper',
  none: 'never cached',
}

import { describeSkuRefusal } from '../../text/sku-refusal-text.ts'

/** The order that the cart of a checkout became. */
export type CheckoutOrder = Pick<OrderRecord, 'order_id' | 'status'> & { order_number: string | null }

/** `href`: the page of what the value names; absent: it has none. */
export type RequestFact = [name: string, value: string, href?: string]

export function toRequestFacts(record: RequestRecord, orders: readonly CheckoutOrder[]): RequestFact[] {
  const { tenant, mode, keyId, customerId, cartId, refusedSkus = [] } = record
  const shownRoute = toShownRoute(record.route)
  return [
    ['Id', record.requestId],
    ['Request', `${record.method} ${record.path}`],
    ['What was asked', describeRoute(record.route) + (shownRoute === '' ? '' : ` (${shownRoute})`)],
    ['Status', String(record.status)],
    ...refusedSkus.map((sku): RequestFact => {
      const reason = describeSkuRefusal(record, sku)
      const text = reason ? `${sku}: ${reason}` : sku
      return withLink(['Refused SKU', text], tenant && toProductPath(tenant, mode, sku))
    }),
    ['Cache', cacheTexts[record.cache] ?? record.cache],
    ...(keyId === null ? [] : [['Key', keyId] satisfies RequestFact]),
    ...(customerId === null
      ? []
      : [withLink(['Customer', customerId], tenant && toCustomerPath(tenant, mode, customerId))]),
    ...(cartId === undefined ? [] : [['Cart', cartId, toCartPath(cartId)] satisfies RequestFact]),
    ...orders.map(
      ({ order_id, order_number, status }): RequestFact => [
        'Order of this cart',
        `${order_number ?? order_id} (${describeOrderStatus(status).toLowerCase()})`,
        toOrderPath(order_id),
      ],
    ),
    ['Process', record.process],
  ]
}

const withLink = ([name, value]: RequestFact, href: string | null): RequestFact =>
  href === null ? [name, value] : [name, value, href]
