import { Decimal } from 'decimal.js'
import Type from 'typebox'
import { checkOut } from '../../commands/orders/check-out.ts'
import type { CheckoutOutcome, OverCreditLimit } from '../../commands/orders/checkout-outcome.ts'
import { Cart } from '../../contract/cart/cart.ts'
import { toMoney } from '../../contract/money.ts'
import { CheckoutIn, CheckoutResult } from '../../contract/orders/checkout.ts'
import { recordToShopperOrder, type ShopperOrder } from '../../contract/orders/order-mapping.ts'
import { Problem } from '../../errors.ts'
import { type ApiRequest, defineRoute, jsonResponse } from '../../http/route.ts'
import { missingTrace } from '../../sections/section-trace.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { buildCartResponse } from '../carts/cart-response.ts'
import { toTotalsView } from '../carts/cart-view.ts'
import { failRequiredSection } from '../fail-required-section.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { toOrderCore } from './order-response.ts'

/** Time for the reads (at most half of it), for the accounting system's response, and for storing it. */
const DEADLINE_MS = 5_000

/** The total is not above expected_total, but a price, a tax or a promotion has changed. */
const TOTAL_CHANGED = 'The total has changed. Price the cart again and show it.'

export const checkoutRoute = defineRoute({
  method: 'POST',
  path: '/v1/checkout',
  operationId: 'checkout',
  summary: 'Order a cart with live prices, stock, tax and credit; one cart becomes at most one order',
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
  async handle(request) {
    const { body, idempotency } = request
    const startedAt = performance.now()
    const ordering = checkOut(toCustomerCommandContext(request), body, async (transaction, record) => {
      await idempotency?.storeResponse(transaction, 200, toCheckoutResult(record))
    })
    const outcome = await failRequiredSection('checkout', ordering)
    if (outcome.state === 'ordered') {
      const { record, pendingReason } = outcome
      // For the shopper, an order that is being processed is no error; operators see the reason.
      const traces = pendingReason ? [missingTrace('checkout', pendingReason, performance.now() - startedAt)] : []
      return { ...jsonResponse(toCheckoutResult(record)), traces }
    }
    if (outcome.state === 'archived') return jsonResponse(toPlacedResult(outcome.cartId, outcome.order))
    if (outcome.state === 'price_changed') throw await createPriceChangedProblem(request, outcome)
    idempotency?.release()
    return jsonResponse(toOverLimitResult(request, outcome))
  },
})

/** Returns the result of a checkout that created an order. The same record gives the same bytes. */
function toCheckoutResult(record: OrderRecord): CheckoutResult {
  const { order_id, cart_id, status, draft } = record
  const totals = toTotalsView(draft.totals, draft.currency)
  if (status === 'REJECTED')
    throw new Problem('cart_converted', 'This cart became an order that was rejected. Create a new cart.', {
      members: { order_id },
    })
  const placed = toPlacedResult(cart_id, recordToShopperOrder(record))
  return status === 'PENDING' ? { ...placed, state: 'processing', totals, payment: null } : { ...placed, totals }
}

function toPlacedResult(cart_id: string, shopperOrder: ShopperOrder): CheckoutResult {
  const order = toOrderCore(shopperOrder)
  return {
    state: 'placed',
    cart_id,
    order_id: order.order_id,
    order_number: order.order_number,
    order,
    totals: order.totals,
    shortfall: null,
    credit: null,
    remedies: [],
    payment: { status: order.payment_status, session_id: null },
  }
}

function toOverLimitResult(
  { body, merchant: { currency } }: Pick<ApiRequest, 'merchant'> & { body: CheckoutIn },
  { totals, shortfall, credit, isCashAllowed }: OverCreditLimit,
): CheckoutResult {
  const shortfallMoney = shortfall === null ? null : toMoney(shortfall, currency)
  const availableCredit = credit.available_credit === null ? null : toMoney(credit.available_credit, currency)
  return {
    state: 'over_credit_limit',
    cart_id: body.cart_id,
    order_id: null,
    order_number: null,
    order: null,
    totals: toTotalsView(totals, currency),
    shortfall: shortfallMoney,
    credit: {
      enabled: true,
      would_exceed: true,
      shortfall: shortfallMoney,
      available_credit: availableCredit,
      as_of: credit.as_of,
    },
    remedies: [
      'REDUCE_ORDER',
      ...(new Decimal(credit.balance ?? 0).gt(0) ? (['PAY_BALANCE'] as const) : []),
      ...(isCashAllowed ? (['CHOOSE_CASH_ON_DELIVERY'] as const) : []),
    ],
    payment: null,
  }
}

async function createPriceChangedProblem(
  request: Parameters<typeof buildCartResponse>[0],
  { cart, isTotalHigher }: Extract<CheckoutOutcome, { state: 'price_changed' }>,
): Promise<Problem> {
  const { body } = await buildCartResponse(request, cart)
  return new Problem('price_changed', isTotalHigher ? undefined : TOTAL_CHANGED, { members: { cart: body } })
}
