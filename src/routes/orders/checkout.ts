import { Decimal } from 'decimal.js'
import Type from 'typebox'
import { type CheckoutOutcome, checkOut, type OverCreditLimit } from '../../commands/orders/check-out.ts'
import { Cart } from '../../contract/cart.ts'
import { CheckoutIn, CheckoutResult } from '../../contract/checkout.ts'
import { toMoney } from '../../contract/common-schemas.ts'
import { recordToShopperOrder } from '../../contract/order-view.ts'
import { Problem } from '../../errors.ts'
import { type ApiRequest, defineRoute, jsonResponse } from '../../http/route.ts'
import { missingTrace } from '../../sections/section.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { buildCartResponse } from '../carts/cart.ts'
import { toTotalsView } from '../carts/cart-view.ts'
import { failAsSection, toCustomerCommandContext } from '../to-command-context.ts'
import { toOrderCore } from './order-response.ts'

/** Room for reading, half of it at the most, for the ledger's answer, and for telling of it. */
const DEADLINE_MS = 5_000

/** It is not above what the shopper was shown, or nothing was named: a price, a tax or a promotion is another meanwhile. */
const RECOUNTED = 'The ledger counts another total; price the cart again and show it.'

export const checkoutRoute = defineRoute({
  method: 'POST',
  path: '/v1/checkout',
  operationId: 'checkout',
  summary: 'Order a cart, at live prices, stock, tax and credit; one cart becomes at most one order',
  tag: 'Checkout',
  scope: 'storefront:checkout',
  input: { body: CheckoutIn },
  response: CheckoutResult,
  needsShopper: true,
  idempotent: true,
  deadlineMs: DEADLINE_MS,
  caching: 'none',
  problems: [
    'not_found',
    'cart_converted',
    'cart_empty',
    'price_changed',
    'line_unavailable',
    'account_on_hold',
    'payment_method_not_allowed',
    'cart_expired',
  ],
  problemMembers: { skus: Type.Array(Type.String()), cart: Cart, order_id: Type.String() },
  async answer(question) {
    const { body, once } = question
    const startedAt = performance.now()
    const ordering = checkOut(toCustomerCommandContext(question), body, async (transaction, record) => {
      await once?.done(transaction, 200, resultOf(record))
    })
    const outcome = await failAsSection('checkout', ordering)
    if (outcome.state === 'ordered') {
      const { record, unanswered } = outcome
      // The shopper is told that it is being processed, which is no error; those on call are told why.
      const traces = unanswered ? [missingTrace('checkout', unanswered, performance.now() - startedAt)] : []
      return { ...jsonResponse(resultOf(record)), traces }
    }
    if (outcome.state === 'price_changed') throw await priceChanged(question, outcome)
    once?.forget()
    return jsonResponse(overLimit(question, outcome))
  },
})

/** A checkout that made an order. The same record gives the same bytes. */
function resultOf(record: OrderRecord): CheckoutResult {
  const { order_id, cart_id, status, draft } = record
  if (status === 'REJECTED')
    throw new Problem('cart_converted', 'This cart became an order that was then refused; make a new cart.', {
      members: { order_id },
    })
  const order = toOrderCore(recordToShopperOrder(record))
  return {
    ...{ state: status === 'PENDING' ? 'processing' : 'placed', cart_id, order_id, order_number: order.order_number },
    ...{ order, totals: toTotalsView(draft.totals, draft.currency), shortfall: null, credit: null, remedies: [] },
    payment: status === 'PENDING' ? null : { status: order.payment_status, session_id: null },
  }
}

function overLimit(
  { body, merchant: { currency } }: Pick<ApiRequest, 'merchant'> & { body: CheckoutIn },
  { totals, shortfall, credit, cashAllowed }: OverCreditLimit,
): CheckoutResult {
  const short = shortfall === null ? null : toMoney(shortfall, currency)
  const left = credit.available_credit === null ? null : toMoney(credit.available_credit, currency)
  return {
    ...{ state: 'over_credit_limit', cart_id: body.cart_id, order_id: null, order_number: null, order: null },
    totals: toTotalsView(totals, currency),
    shortfall: short,
    credit: { enabled: true, would_exceed: true, shortfall: short, available_credit: left, as_of: credit.as_of },
    remedies: [
      'REDUCE_ORDER',
      ...(new Decimal(credit.balance ?? 0).gt(0) ? (['PAY_BALANCE'] as const) : []),
      ...(cashAllowed ? (['CHOOSE_CASH_ON_DELIVERY'] as const) : []),
    ],
    payment: null,
  }
}

async function priceChanged(
  question: Parameters<typeof buildCartResponse>[0],
  { cart, dearer }: Extract<CheckoutOutcome, { state: 'price_changed' }>,
): Promise<Problem> {
  const { body } = await buildCartResponse(question, cart)
  return new Problem('price_changed', dearer ? undefined : RECOUNTED, { members: { cart: body } })
}
