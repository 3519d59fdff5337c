import { setTimeout as pause } from 'node:timers/promises'
import type { CheckoutIn } from '../../contract/orders/checkout.ts'
import { Problem, UpstreamError } from '../../errors.ts'
import { runExclusive } from '../../lifecycle/keyed-mutex.ts'
import type { PlaceOrderResult } from '../../ports/order.ts'
import { randomBase62 } from '../../security/base62.ts'
import { type CartRecord, findCart, storeCartPricing } from '../../storage/commerce/carts.ts'
import { findOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import { transact } from '../../storage/transact.ts'
import { tenantKey } from '../../tenant.ts'
import { createRequestScope, type RequestScope } from '../../upstream/request/request-scope.ts'
import { isCartExpired } from '../carts/cart-lifetime.ts'
import { toCartKey } from '../carts/find-cart.ts'
import type { LivePricing } from '../carts/live-pricing.ts'
import { toStoredCartPricing } from '../carts/stored-cart-pricing.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { readArchivedCheckout } from './archived-checkout.ts'
import { waitForReservations } from './checkout-credit.ts'
import { type CheckoutOutcome, toOrderedOutcome } from './checkout-outcome.ts'
import { computeCashShortfall, computeCreditShortfall, computeShortfall } from './credit-shortfall.ts'
import { isAboveExpectedTotal } from './is-above-expected-total.ts'
import { createLineUnavailableProblem } from './line-unavailable-problem.ts'
import { markOrderConfirmed, markOrderPending, markOrderRefused, type TransactionalWrite } from './order-transitions.ts'
import { readLiveCheckoutState } from './read-live-checkout-state.ts'
import { readOverCreditLimit } from './read-over-credit-limit.ts'
import { handleMissingResponse, sendOrder } from './send-order.ts'
import { storePendingOrder } from './store-pending-order.ts'
import { toOrderDraft } from './to-order-draft.ts'

const POLL_MS = 50
/** The maximum number of attempts to order a cart, if other processes change it meanwhile or other orders take its credit. */
const MAX_ATTEMPTS = 4

/** Orders a cart at most once: a repeated checkout returns the same order. `alsoWrite` runs in the transaction that stores the order's new state. */
export function checkOut(
  requestContext: CustomerCommandContext,
  input: CheckoutIn,
  alsoWrite: TransactionalWrite,
): Promise<CheckoutOutcome> {
  const { commerce, tenant, customerId } = requestContext
  const context = { ...requestContext, requestScope: detachFromClient(requestContext.requestScope, commerce.now) }
  const checkout = runExclusive(`${tenantKey(tenant)} ${customerId} ${input.cart_id}`, async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const cart = await findCart(commerce.db, toCartKey(context, input.cart_id))
      if (!cart) return readArchivedCheckout(context, input.cart_id)
      if (cart.order_id !== null) {
        const record = await waitForOrder(context, cart.order_id)
        if (record) return toOrderedOutcome(record)
        continue
      }
      if (isCartExpired(cart, commerce.now())) throw new Problem('cart_expired')
      if (cart.lines.length === 0) throw new Problem('cart_empty')
      const outcome = await orderCart(context, cart, input, alsoWrite)
      if (outcome) return outcome
    }
    throw new UpstreamError('overloaded', 'the cart or the credit kept changing during checkout', {
      retryAfterMs: 1_000,
    })
  })
  // After a failure, aborts the calls that still run. Otherwise repeated attempts would fill the queues of the other systems.
  return checkout.finally(() => context.requestScope.leave())
}

/** A checkout runs to its end within the request's deadline, even when the client disconnects. */
const detachFromClient = (
  { requestId, recorder, faults, calls, leftMs }: RequestScope,
  now: () => number,
): RequestScope =>
  createRequestScope({ requestId, recorder, faults, calls }, { totalMs: Math.max(0, leftMs()), reserveMs: 0 }, now)

/** Waits for the order that another request is placing, until accounting has responded or the time is up. `null`: the order was discarded. */
async function waitForOrder(context: CustomerCommandContext, orderId: string): Promise<OrderRecord | null> {
  for (;;) {
    const record = await findOrder(context.commerce.db, toCustomerKey(context), orderId)
    if (record?.status !== 'PENDING' || record.acknowledged) return record
    const leftMs = context.requestScope.leftMs()
    if (leftMs > 0) await pause(Math.min(POLL_MS, leftMs))
    else {
      const pending = await markOrderPending(context.commerce, record)
      if (pending) return pending
    }
  }
}

/** `null`: another process changed or ordered the cart meanwhile, or an order that took credit is resolved. */
async function orderCart(
  context: CustomerCommandContext,
  cart: CartRecord,
  input: CheckoutIn,
  alsoWrite: TransactionalWrite,
): Promise<CheckoutOutcome | null> {
  const { state, readCredit } = await readLiveCheckoutState(context, cart, input)
  const { pricing, customer } = state
  const draft = toOrderDraft(input, state)
  const { totals } = draft
  if (isAboveExpectedTotal(input, totals)) return reportChangedPrice(context, cart, pricing, true)
  const isOnCredit = draft.payment_method === 'CREDIT_TERMS'
  const isLimited = isOnCredit || context.backOffice.accounting.creditReservation?.cashOrders
  const checkoutCredit = isLimited ? await readCredit() : null
  const credit = checkoutCredit?.credit ?? null
  const isCashAllowed =
    isOnCredit && customer.payment_methods.includes('CASH_ON_DELIVERY') && !credit?.holds_cash_orders
  const shortfall = isOnCredit ? computeCreditShortfall(totals, credit) : computeCashShortfall(totals, credit)
  if (shortfall !== null) return { state: 'over_credit_limit', totals, shortfall, credit: credit!, isCashAllowed }

  const referenced = { ...draft, reference: `ord_${randomBase62(22)}` }
  const record = await storePendingOrder(context, cart, referenced, { live: pricing, credit: checkoutCredit })
  if (!record) return null
  if ('orderIds' in record) {
    if (await waitForReservations(context, record)) return null
    const left = { ...credit!, available_credit: record.available_credit }
    const shortfall = computeShortfall(totals, record.available_credit)
    return { state: 'over_credit_limit', totals, shortfall, credit: left, isCashAllowed }
  }
  const result = await sendOrder(context, record)
  if (result instanceof UpstreamError) return handleMissingResponse(context, record, result, alsoWrite)
  if (result.state === 'placed') {
    const confirmed = await markOrderConfirmed(context.commerce, record, result.order, alsoWrite)
    return confirmed && toOrderedOutcome(confirmed)
  }
  if ((await markOrderRefused(context.commerce, record, result.reason)) !== 'discarded') return null
  if (result.reason === 'TOTALS_DISAGREE') return reportChangedPrice(context, cart, pricing, false)
  if (result.reason !== 'OVER_CREDIT_LIMIT') throw toRefusalProblem(result)
  if (!credit) return readOverCreditLimit(context, totals, result.available_credit)
  const current = { ...credit, available_credit: result.available_credit ?? credit.available_credit }
  const currentShortfall = computeCreditShortfall(totals, current)
  return { state: 'over_credit_limit', totals, shortfall: currentShortfall, credit: current, isCashAllowed }
}

/** Stores the new prices with the cart, for the shopper to confirm. */
async function reportChangedPrice(
  { commerce }: CustomerCommandContext,
  cart: CartRecord,
  live: LivePricing,
  isTotalHigher: boolean,
): Promise<CheckoutOutcome> {
  const pricing = toStoredCartPricing(cart, live, null, commerce.now())
  await transact(commerce.db, (transaction) => storeCartPricing(transaction, cart.cart_id, cart.version, pricing))
  return { state: 'price_changed', cart: { ...cart, pricing }, isTotalHigher }
}

function toRefusalProblem({ reason, skus }: Extract<PlaceOrderResult, { state: 'refused' }>): Problem {
  if (reason === 'ACCOUNT_ON_HOLD') return new Problem('account_on_hold')
  if (reason !== 'LINE_UNAVAILABLE') return new Problem('payment_method_not_allowed')
  return createLineUnavailableProblem(skus.map((sku) => ({ sku, reason: 'refused_by_accounting' })))
}
