import { knownSkus } from '../../../fixtures/known-skus.ts'
import type { ExampleCaller } from './example-caller.ts'

/** Orders what is in a new cart, and reads orders and invoices. Returns the id of the order. */
export async function callCartOrdersAndInvoices({ call }: ExampleCaller, shopper: string): Promise<string> {
  const as = { shopper }
  await call('getMe', { as })
  await call('getCreditStatus', { as })
  await callBackInStock(call, shopper)
  const { cart_id } = await call('createCart', { as })
  const line_id = await callCart(call, cart_id, shopper)
  await call('getCart', { params: { cart_id }, as })
  await call('listDeliveryOptions', { params: { cart_id }, as })
  await call('priceCart', { params: { cart_id }, request: { delivery_option_id: 'EXPRESS' }, as })
  const request = {
    cart_id,
    payment_method: 'CREDIT_TERMS',
    delivery_option_id: 'EXPRESS',
    po_number: 'PO-4711',
    notes: 'Deliver to the back entrance',
  }
  const { order_id } = await call('checkout', { request, as })
  await call('getPaymentStatus', { params: { order_id }, as })
  await call('getOrder', { params: { order_id }, as })
  await call('listOrders', { query: { limit: 2 }, as })
  const filled = await call('reorder', { params: { order_id }, as })
  await call('reorder', { params: { order_id }, request: { cart_id: filled.cart_id }, as })
  await call('getCurrentCart', { as })
  await call('listCarts', { query: { limit: 2 }, as })
  await call('cancelOrder', {
    params: { order_id: 'SO-100107' },
    request: { reason: 'ORDERED_BY_MISTAKE', note: 'Wrong vehicle' },
    as,
  })
  const invoices = await call('listInvoices', { query: { limit: 2 }, as })
  const { invoice_id } = invoices.data[0]
  await call('getInvoice', { params: { invoice_id }, as })
  await call('getInvoiceDocument', { params: { invoice_id }, as })
  if (!line_id) throw new Error('the cart has no line')
  return order_id
}

async function callBackInStock(call: ExampleCaller['call'], shopper: string): Promise<void> {
  const as = { shopper }
  await call('requestBackInStock', { params: { sku: knownSkus.overdue }, as })
  await call('deleteBackInStock', { params: { sku: knownSkus.overdue }, as })
  await call('requestBackInStock', { params: { sku: knownSkus.out }, as })
  await call('requestBackInStock', { params: { sku: knownSkus.out }, as })
  await call('listBackInStock', { as })
}

async function callCart(call: ExampleCaller['call'], cart_id: string, shopper: string): Promise<string> {
  const as = { shopper }
  const params = { cart_id }
  const added = await call('addCartLine', { params, request: { sku: 'BP-1002', quantity: 1 }, as })
  await call('deleteCartLine', { params: { cart_id, line_id: added.lines[0].line_id }, as })
  const { lines } = await call('addCartLine', { params, request: { sku: 'BP-1001', quantity: 2 }, as })
  const { line_id } = lines[0]
  await call('updateCartLine', { params: { cart_id, line_id }, request: { quantity: 4 }, as })
  await call('addCartPromotion', { params, request: { code: 'BRAKES1500' }, as })
  await call('deleteCartPromotion', { params: { cart_id, code: 'BRAKES1500' }, as })
  await call('addCartPromotion', { params, request: { code: 'WELCOME10' }, as })
  return line_id
}
