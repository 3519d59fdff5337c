import type { RequestRecord } from '../../diagnostics/reports/request-records.ts'

type CheckoutRecord = Pick<RequestRecord, 'route' | 'status' | 'sections' | 'calls' | 'customerId' | 'cartId'>

/** Only calls show that a checkout came so far that an order may be stored. */
export const isRefusedWithoutCall = ({ route, status, calls }: CheckoutRecord): boolean =>
  route === 'checkout' && status >= 400 && calls.length === 0

/** Says what is certain of the order of a checkout, and what the shopper was told of it; empty: nothing. */
export function describeCheckoutResponse(record: CheckoutRecord): string {
  const { route, status, sections, calls, customerId, cartId } = record
  if (route !== 'checkout') return ''
  if (isRefusedWithoutCall(record)) {
    const isKnown = customerId !== null || cartId !== undefined
    return `It was refused before any call to a system, so it placed no order.${isKnown ? '' : ' It was also refused before the shopper and the cart were read, so neither is known.'}`
  }
  const placing = calls.filter(({ system, operation }) => system === 'accounting' && operation === 'placeOrder').at(-1)
  if (status >= 500)
    return placing && placing.attempts > 0
      ? 'Accounting was asked to place the order, so it may exist: look at the orders of the customer before the cart is ordered again.'
      : ''
  if (status >= 400) return ''
  if (sections.some(({ name, code }) => name === 'checkout' && code !== null))
    return 'The shopper was told that the order is being processed. The order was saved, and is sent again until accounting confirms or refuses it: the incident names it.'
  return !placing || placing.outcome === 'ok' || placing.outcome === 'pending'
    ? ''
    : 'Meanwhile, the change feed of accounting had reported the order, so the shopper was told that it was placed.'
}
