import Type from 'typebox'
import { addressView } from '../../contract/address-view.ts'
import { isCancellable } from '../../commands/orders/cancel-order.ts'
import { invoiceStatus } from '../../contract/invoice-view.ts'
import { orderItem, orderLines, orderShipments, type ShownOrder } from '../../contract/order-view.ts'
import { moneyOf } from '../../contract/common-schemas.ts'
import { type OrderCore, OrderDetail } from '../../contract/order.ts'
import { Problem } from '../../errors.ts'
import type { InvoicePage } from '../../ports/invoice.ts'
import { fanOut, one, optional, required, type Section } from '../../sections/section.ts'
import type { Filled } from '../../upstream/cached-loader.ts'
import { totalsView } from '../carts/cart-view.ts'
import type { Answer, Question, Route } from '../../http/route.ts'

export const OrderParams = Type.Object({ order_id: Type.String() })

/** What the calls of one order have in common. */
export const ofOrders = {
  tag: 'Orders',
  scope: 'storefront:orders',
  response: OrderDetail,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['order'], optional: ['invoices'] },
} as const satisfies Partial<Route>

/** What no ledger has for an id is answered as unknown, and not asked for. Dots alone would be steps in a path. */
export function mustBeId(id: string): void {
  if (id.length < 1 || id.length > 128 || id === '.' || id === '..') throw new Problem('not_found')
}

/** An order, whole, with the sections beside it. `ledgerId`: the ledger's own id of it, which its invoices go by. */
export async function orderAnswer(
  { office, asking, customerId }: Pick<Question, 'office' | 'asking' | 'customerId'>,
  order: Section<ShownOrder | null>,
  ledgerId: string | null,
): Promise<Answer> {
  if (!order.value && !order.error) throw new Problem('not_found')
  const today = office.today()
  const query = { limit: 50, offset: 0, order_id: ledgerId ?? '', today }
  const none: Filled<InvoicePage> = { value: { invoices: [], total: 0, has_more: false }, error: null, asOf: 0 }
  const invoices = ledgerId === null ? none : office.account.invoices(customerId!, query, asking)
  const { values, errors, traces } = await fanOut(asking, {
    order: required(Promise.resolve(order)),
    invoices: optional(Promise.resolve(invoices).then(one)),
  })
  if (!values.order) throw new Problem('not_found')
  const listed = values.invoices?.invoices.map((invoice) => {
    const { invoice_id, invoice_number } = invoice
    return { invoice_id, invoice_number, status: invoiceStatus(invoice, today) }
  })
  return { body: { ...orderCore(values.order), invoices: listed ?? null, errors }, errors, traces }
}

/** An order without its invoices. Members are named one by one. */
export function orderCore(order: ShownOrder): OrderCore {
  const { currency, totals, contact, fulfillment_method, notes, requested_date, payment_method } = order
  const { cancelled_at, cancel_reason, history, shipping_address, billing_address } = order
  return {
    ...orderItem(order),
    lines: orderLines(order),
    totals: totalsView(totals, currency),
    promotions: order.promotions.map(({ code, description, discount }) => {
      return { code, description, discount: moneyOf(discount, currency) }
    }),
    fulfillment_method,
    shipping_address: addressView(shipping_address),
    billing_address: addressView(billing_address),
    contact: contact && { name: contact.name, phone: contact.phone, email: contact.email },
    ...{ notes, requested_date, payment_method },
    shipments: orderShipments(order),
    cancellable: order.order_number !== null && isCancellable(order),
    ...{ cancelled_at, cancel_reason },
    history: history.map(({ status, at }) => ({ status, at })),
  }
}
