import { MAX_CART_LINES } from '../../commands/carts/cart-lines.ts'
import { isOrderCancellable } from '../../commands/orders/cancel-order.ts'
import { toDeliveryView } from '../../contract/cart/delivery-mapping.ts'
import { toMoney } from '../../contract/money.ts'
import { toInvoiceStatus } from '../../contract/orders/invoice-mapping.ts'
import type { OrderCore } from '../../contract/orders/order.ts'
import { type ShopperOrder, toOrderItem, toOrderLines, toOrderShipments } from '../../contract/orders/order-mapping.ts'
import { toAddressView } from '../../contract/shoppers/to-address-view.ts'
import { createNotFound } from '../../errors.ts'
import type { ApiRequest, ApiResponse } from '../../http/route.ts'
import type { InvoicePage } from '../../ports/invoice.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, required, type Section, valueSection } from '../../sections/section.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import { toTotalsView } from '../carts/cart-view.ts'
import { isValidSku } from '../valid-upstream-ids.ts'

/** Returns an order with its invoices. `accountingId`: the accounting system's own id of it, which its invoices refer to; `null`: none yet. */
export async function buildOrderResponse(
  { backOffice, requestScope, customerId }: Pick<ApiRequest, 'backOffice' | 'requestScope' | 'customerId'>,
  order: Section<ShopperOrder | null>,
  accountingId: string | null,
): Promise<ApiResponse> {
  if (!order.value && !order.error) throw createNotFound('order')
  const today = backOffice.today()
  const query = { limit: 50, offset: 0, order_id: accountingId ?? '', today }
  const noInvoices: LoadResult<InvoicePage> = {
    value: { invoices: [], total: 0, has_more: false },
    error: null,
    asOf: 0,
  }
  const invoices = accountingId === null ? noInvoices : backOffice.accounting.invoices(customerId!, query, requestScope)
  const skus = toPicturedSkus(order.value)
  const { values, errors, traces } = await fanOut(requestScope, {
    order: required(Promise.resolve(order)),
    invoices: optional(Promise.resolve(invoices).then(valueSection)),
    media: optional(backOffice.products(skus, requestScope).then(columnSection)),
  })
  if (!values.order) throw createNotFound('order')
  const core = toOrderCore(values.order)
  const thumbUrls = new Map(skus.map((sku, at) => [sku, values.media[at]?.media?.[0]?.thumb_url ?? null]))
  const lines = core.lines.map((line) => ({ ...line, thumb_url: thumbUrls.get(line.sku) ?? null }))
  const invoiceItems = values.invoices?.invoices.map((invoice) => {
    const { invoice_id, invoice_number } = invoice
    return { invoice_id, invoice_number, status: toInvoiceStatus(invoice, today) }
  })
  return { body: { ...core, lines, invoices: invoiceItems ?? null, errors }, errors, traces }
}

/** Orders of other programs may have more lines than a cart, and lines of things that are in no catalog. */
const toPicturedSkus = (order: ShopperOrder | null): string[] =>
  [...new Set(order?.lines.map(({ sku }) => sku).filter(isValidSku))].slice(0, MAX_CART_LINES)

/** Returns an order without its invoices. Members are listed one by one, so that no other upstream data gets into the response. */
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
    delivery: toDeliveryView(order.delivery),
    shipping_address: toAddressView(shipping_address),
    billing_address: toAddressView(billing_address),
    contact: contact && { name: contact.name, phone: contact.phone, email: contact.email },
    notes,
    requested_date,
    payment_method,
    shipments: toOrderShipments(order),
    cancellable: order.order_number !== null && isOrderCancellable(order),
    cancelled_at,
    cancel_reason,
    history: history.map(({ status, at }) => ({ status, at })),
  }
}
