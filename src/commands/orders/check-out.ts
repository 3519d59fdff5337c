import { setTimeout as pause } from 'node:timers/promises'
import type { CheckoutIn } from '../../contract/checkout.ts'
import { Problem, UpstreamError } from '../../errors.ts'
import { runExclusive } from '../../lifecycle/keyed-mutex.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { OrderDraft, OrderTotals, PlaceOrderResult } from '../../ports/order.ts'
import { bindCartToOrder, type CartRecord, storeCartPricing } from '../../storage/commerce/carts.ts'
import { findOrder, insertOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { transact } from '../../storage/transact.ts'
import { syncWal } from '../../storage/wal-sync.ts'
import { createRequestScope, type RequestScope } from '../../upstream/request-scope.ts'
import { isCartExpired, requireCart } from '../carts/edit-cart.ts'
import { type LivePricing, readLivePricing } from '../carts/live-pricing.ts'
import { toStoredCartPricing } from '../carts/price-cart.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import {
  computeCreditShortfall,
  computeShortfall,
  createLineUnavailableProblem,
  isAboveExpectedTotal,
  toOrderDraft,
} from './order-draft.ts'
import {
  discardUnsentOrder,
  markOrderConfirmed,
  markOrderPending,
  markOrderRefused,
  type TransactionalWrite,
} from './order-transitions.ts'

/** How a checkout went. Everything else is thrown: Problem, Invalid, UpstreamError. */
export type CheckoutOutcome =
  /** CONFIRMED (or what became of it since), or PENDING and told of. `unanswered`: why the ledger has not said what became of it. */
  | { state: 'ordered'; record: OrderRecord; unanswered: UpstreamError | null }
  | OverCreditLimit
  /** `dearer`: than the shopper was shown. */
  | { state: 'price_changed'; cart: CartRecord; dearer: boolean }

export interface OverCreditLimit {
  state: 'over_credit_limit'
  totals: OrderTotals
  shortfall: string | null
  credit: Pick<Credit, 'available_credit' | 'balance' | 'as_of'>
  /** The same order would be taken if it were paid on delivery. */
  cashAllowed: boolean
}

/** How long the shopper waits for the ledger, and how long others leave the order alone meanwhile. */
const ANSWER_MS = 3_000
const LEASE_MS = 8_000
/** How long the systems may take to say what holds now, be their own limits shorter, and what is left for the ledger then. */
const READING_MS = 2_500
const PLACING_MS = 2_000
/** With less time than this, nothing is begun. */
const LEAST_MS = 400
const POLL_MS = 50
/** How often a cart that changes under its checkout is looked at anew. */
const TRIES = 4

/** Orders a cart, at most once: whoever asks for it again is given the same order. `beside` is written together with the order's state. */
export function checkOut(
  place: CustomerCommandContext,
  input: CheckoutIn,
  beside: TransactionalWrite,
): Promise<CheckoutOutcome> {
  const staying = { ...place, requestScope: staysOn(place.requestScope, place.commerce.now) }
  const turn = runExclusive(`${Object.values(toOrderOwner(place)).join(' ')} ${input.cart_id}`, async () => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const cart = await requireCart(staying, input.cart_id)
      if (cart.order_id !== null) {
        const record = await answered(staying, cart.order_id)
        if (record) return ordered(record)
        continue
      }
      if (isCartExpired(cart, place.commerce.now())) throw new Problem('cart_expired')
      if (cart.lines.length === 0) throw new Problem('cart_empty')
      const outcome = await order(staying, cart, input, beside)
      if (outcome) return outcome
    }
    throw new UpstreamError('overloaded', 'the cart changed all the time', { retryAfterMs: 1_000 })
  })
  // What one system has refused, the others are not to work on: a shopper who tries again and again would fill their lines.
  return turn.finally(() => staying.requestScope.leave())
}

/** `failure`: of this request's own call to the ledger; another's is not known here. */
function ordered(record: OrderRecord, failure?: UpstreamError): CheckoutOutcome {
  if (record.status !== 'PENDING') return { state: 'ordered', record, unanswered: null }
  const unanswered = failure ?? new UpstreamError('timeout', 'the ledger has not answered for this order yet')
  unanswered.system ??= 'accounting'
  return { state: 'ordered', record, unanswered }
}

/** What is begun is finished, whether the client stays or not: it has the same time, and its client's going does not end it. */
const staysOn = ({ requestId, recorder, faults, calls, leftMs }: RequestScope, now: () => number): RequestScope =>
  createRequestScope({ requestId, recorder, faults, calls }, { totalMs: Math.max(0, leftMs()), reserveMs: 0 }, now)

/** The order that a cart is being made into, as soon as there is an answer or no more time. `null`: it came to nothing. */
async function answered(place: CustomerCommandContext, orderId: string): Promise<OrderRecord | null> {
  for (;;) {
    const record = await findOrder(place.commerce.db, toOrderOwner(place), orderId)
    if (record?.status !== 'PENDING' || record.told) return record
    const leftMs = place.requestScope.leftMs()
    if (leftMs > 0) await pause(Math.min(POLL_MS, leftMs))
    else {
      const told = await markOrderPending(place.commerce, record)
      if (told) return told
    }
  }
}

/** `null`: the cart was changed, or ordered, by another process meanwhile. */
async function order(place: CustomerCommandContext, cart: CartRecord, input: CheckoutIn, beside: TransactionalWrite) {
  const { pricing, items, customer, credit } = await readNow(place, cart, input)
  const { backOffice, merchant } = place
  const settled = toOrderDraft(input, {
    pricing,
    items,
    customer,
    today: backOffice.today(),
    currency: merchant.currency,
  })
  const { totals, payment_method } = settled
  if (isAboveExpectedTotal(input, totals)) return changed(place, cart, pricing, true)
  const known = payment_method === 'CREDIT_TERMS' ? await credit() : null
  const shortfall = payment_method === 'CREDIT_TERMS' ? computeCreditShortfall(totals, known) : null
  const cashAllowed = customer.payment_methods.includes('CASH_ON_DELIVERY') && !known?.holds_cash_orders
  if (shortfall !== null)
    return { state: 'over_credit_limit', totals, shortfall, credit: known!, cashAllowed } satisfies CheckoutOutcome

  const record = await begin(place, cart, { ...settled, reference: `ord_${randomBase62(22)}` }, pricing)
  if (!record) return null
  const answer = await ask(place, record)
  if (answer instanceof UpstreamError) return unanswered(place, record, answer, beside)
  if (answer.state === 'placed') {
    const placed = await markOrderConfirmed(place.commerce, record, answer.order, beside)
    return placed && ordered(placed)
  }
  if ((await markOrderRefused(place.commerce, record, answer.reason)) !== 'freed') return null
  if (answer.reason === 'TOTALS_DISAGREE') return changed(place, cart, pricing, false)
  if (answer.reason !== 'OVER_CREDIT_LIMIT') throw refusal(answer)
  if (!known) return cashRefused(place, totals, answer.available_credit)
  const fresh = { ...known, available_credit: answer.available_credit ?? known.available_credit }
  return {
    state: 'over_credit_limit',
    totals,
    shortfall: computeCreditShortfall(totals, fresh),
    credit: fresh,
    cashAllowed,
  } satisfies CheckoutOutcome
}

/** The ledger holds its limit for orders paid on delivery too: what is left of it was not asked for before. */
async function cashRefused(
  place: CustomerCommandContext,
  totals: OrderTotals,
  left: string | null,
): Promise<OverCreditLimit> {
  const { backOffice, requestScope, customerId, commerce } = place
  const read = await backOffice.accounting
    .creditNow(customerId, { requestScope, priority: 'checkout' })
    .catch((error: unknown) => {
      if (error instanceof UpstreamError) return null
      throw error
    })
  const available_credit = left ?? read?.available_credit ?? null
  const { balance, as_of } = read ?? { balance: null, as_of: new Date(commerce.now()).toISOString() }
  const shortfall = available_credit === null ? null : computeShortfall(totals, available_credit)
  const credit = { available_credit, balance, as_of }
  return { state: 'over_credit_limit', totals, shortfall, credit, cashAllowed: false }
}

/** All systems at once, and nothing from before. The credit is waited for by those who need it. */
async function readNow(place: CustomerCommandContext, cart: CartRecord, input: CheckoutIn) {
  const { backOffice, requestScope, customerId } = place
  const patienceMs = Math.min(READING_MS, requestScope.leftMs() - PLACING_MS)
  const live = { requestScope, priority: 'checkout' as const, patienceMs }
  const onCredit = input.payment_method !== 'CASH_ON_DELIVERY'
  const credit = onCredit ? backOffice.accounting.creditNow(customerId, live) : Promise.resolve(null)
  credit.catch(() => {})
  const [pricing, items, customer] = await Promise.all([
    readLivePricing(place, cart, live),
    backOffice.itemsNow([...new Set(cart.lines.map(({ sku }) => sku))], live),
    backOffice.accounting.customerNow(customerId, live),
  ])
  if (!customer) throw new UpstreamError('invalid', 'the ledger does not know its customer', { system: 'accounting' })
  if (requestScope.leftMs() < LEAST_MS) throw new UpstreamError('timeout', 'no time left to order in')
  return { pricing, items, customer, credit: () => credit }
}

/** The cart with what it costs now. */
async function changed({ commerce }: CustomerCommandContext, cart: CartRecord, pricing: LivePricing, dearer: boolean) {
  const kept = toStoredCartPricing(cart, pricing, null, commerce.now())
  await transact(commerce.db, (transaction) => storeCartPricing(transaction, cart.cart_id, cart.version, kept))
  return { state: 'price_changed', cart: { ...cart, pricing: kept }, dearer } satisfies CheckoutOutcome
}

/** Binds the cart to its order, and stores what the ledger will be asked for, before it is asked. */
async function begin(place: CustomerCommandContext, cart: CartRecord, draft: OrderDraft, pricing: LivePricing) {
  const { db, now } = place.commerce
  const at = new Date(now()).toISOString()
  const record: OrderRecord = {
    ...toOrderOwner(place),
    ...{ order_id: draft.reference, cart_id: cart.cart_id, status: 'PENDING', draft, placed: null, told: false },
    ...{ leased_until: new Date(now() + LEASE_MS).toISOString(), attempts: 0, reject_reason: null },
    ...{ created_at: at, updated_at: at },
  }
  const kept = toStoredCartPricing(cart, pricing, null, now())
  const bound = await transact(db, async (transaction) => {
    if (!(await storeCartPricing(transaction, cart.cart_id, cart.version, kept))) return false
    if (!(await bindCartToOrder(transaction, cart.cart_id, cart.version, record.order_id))) return false
    await insertOrder(transaction, record)
    return true
  })
  if (!bound) return null
  // A ledger that has an order of which nothing is known here would be asked for another.
  await syncWal(db)
  return record
}

async function ask(
  { backOffice, requestScope }: CustomerCommandContext,
  { draft }: OrderRecord,
): Promise<PlaceOrderResult | UpstreamError> {
  const timeoutMs = Math.max(LEAST_MS, Math.min(ANSWER_MS, requestScope.leftMs()))
  try {
    return await backOffice.accounting.placeOrder(draft, { requestScope, priority: 'checkout', timeoutMs })
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}

/** The guard said no: the ledger was not asked. */
const unsent: ReadonlySet<string> = new Set(['circuit_open', 'overloaded', 'not_configured'])

async function unanswered(
  place: CustomerCommandContext,
  record: OrderRecord,
  error: UpstreamError,
  beside: TransactionalWrite,
): Promise<CheckoutOutcome | null> {
  if (unsent.has(error.failure) && (await discardUnsentOrder(place.commerce, record))) throw error
  const told = await markOrderPending(place.commerce, record, beside)
  return told && ordered(told, error)
}

function refusal({ reason, skus }: Extract<PlaceOrderResult, { state: 'refused' }>): Problem {
  if (reason === 'ACCOUNT_ON_HOLD') return new Problem('account_on_hold')
  return reason === 'LINE_UNAVAILABLE' ? createLineUnavailableProblem(skus) : new Problem('payment_method_not_allowed')
}

export const toOrderOwner = ({ tenantId, mode, customerId }: CustomerCommandContext) => ({
  ...{ tenant_id: tenantId, mode, customer_id: customerId },
})
