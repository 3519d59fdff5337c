import Type from 'typebox'
import { isOrderCancellable } from '../../commands/orders/cancel-order.ts'
import { toAddressView } from '../../contract/address-view.ts'
import { toMoney } from '../../contract/common-schemas.ts'
import { toInvoiceStatus } from '../../contract/invoice-view.ts'
import { type OrderCore, OrderDetail } from '../../contract/order.ts'
import { type ShopperOrder, toOrderItem, toOrderLines, toOrderShipments } from '../../contract/order-view.ts'
import { Problem } from '../../errors.ts'
import type { ApiRequest, ApiResponse, Route } from '../../http/route.ts'
import type { InvoicePage } from '../../ports/invoice.ts'
import { fanOut, optional, required, type Section, valueSection } from '../../sections/section.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import { toTotalsView } from '../carts/cart-view.ts'

export const OrderParams = Type.Object({ order_id: Type.String() })

/** What the calls of one order have in common. */
export const orderRouteDefaults = {
  tag: 'Orders',
  scope: 'storefront:orders',
  response: OrderDetail,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['order'], optional: ['invoices'] },
} as const satisfies Partial<Route>

/** What no ledger has for an id is answered as unknown, and not asked for. Dots alone would be steps in a path. */
export function assertValidId(id: string): void {
  if (id.length < 1 || id.length > 128 || id === '.' || id === '..') throw new Problem('not_found')
}

/** An order, whole, with the sections beside it. `ledgerId`: the ledger's own id of it, which its invoices go by. */
export async function buildOrderResponse(
  { backOffice, requestScope, customerId }: Pick<ApiRequest, 'backOffice' | 'requestScope' | 'customerId'>,
  order: Section<ShopperOrder | null>,
  ledgerId: string | null,
): Promise<ApiResponse> {
  if (!order.value && !order.error) throw new Problem('not_found')
  const today = backOffice.today()
  const query = { limit: 50, offset: 0, order_id: ledgerId ?? '', today }
  const none: LoadResult<InvoicePage> = { value: { invoices: [], total: 0, has_more: false }, error: null, asOf: 0 }
  const invoices = ledgerId === null ? none : backOffice.accounting.invoices(customerId!, query, requestScope)
  const { values, errors, traces } = await fanOut(requestScope, {
    order: required(Promise.resolve(order)),
    invoices: optional(Promise.resolve(invoices).then(valueSection)),
  })
  if (!values.order) throw new Problem('not_found')
  const listed = values.invoices?.invoices.map((invoice) => {
    const { invoice_id, invoice_number } = invoice
    return { invoice_id, invoice_number, status: toInvoiceStatus(invoice, today) }
  })
  return { body: { ...toOrderCore(values.order), invoices: listed ?? null, errors }, errors, traces }
}

/** An order without its invoices. Members are named one by one. */
export function toOrderCore(order: ShopperOrder): OrderCore {
  const { currency, totals, contact, fulfillment_method, notes, requested_date, payment_method } = order
  const { cancelled_at, cancel_reason, history, shipping_address, billing_address } = order
  return {
    ...toOrderItem(order),
    lines: toOrderLines(order),
    totals: toTotalsView(totals, currency),
    promotions: order.promotions.map(({ code, description, discount }) => {
      return { code, description, discount: toMoney(discount, currency) }
    }),
    fulfillment_method,
    shipping_address: toAddressView(shipping_address),
    billing_address: toAddressView(billing_address),
    contact: contact && { name: contact.name, phone: contact.phone, email: contact.email },
    ...{ notes, requested_date, payment_method },
    shipments: toOrderShipments(order),
    cancellable: order.order_number !== null && isOrderCancellable(order),
    ...{ cancelled_at, cancel_reason },
    history: history.map(({ status, at }) => ({ status, at })),
  }
}
