import type { OrderDraft, PlaceOrderResult } from '../../../../src/ports/order.ts'
import { both, changeFailure, changeMethod, changePort, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { withLowCredit } from './with-low-credit.ts'

type Refusal = PlaceOrderResult & { state: 'refused' }
const refusal = (reason: Refusal['reason']): Refusal => ({ state: 'refused', reason, skus: [], available_credit: null })

const changeDraft = (change: (draft: OrderDraft) => OrderDraft) =>
  changeMethod('accounting.placeOrder', (placeOrder) => (draft, call) => placeOrder(change(draft), call))
const changeRefusal = (change: (refusal: Refusal) => Refusal) =>
  changeResult('accounting.placeOrder', (result) => (result.state === 'refused' ? change(result) : result))

/** Places orders without a member, and shows shoppers what was noted elsewhere. */
const hideFromStaff = (lost: Partial<OrderDraft>) =>
  changeMethod('accounting.placeOrder', (placeOrder) => async (draft, call) => {
    const result = await placeOrder({ ...draft, ...lost }, call)
    return result.state === 'placed' ? { ...result, order: { ...result.order, ...draft } } : result
  })

/** The credit does not contain any order. */
const withoutOrders = changeResult(
  'accounting.credit',
  (credit) => credit && { ...credit, available_credit: credit.credit_limit },
)

/** Keeps the first credit of each customer. */
const withOldCredit = changeMethod('accounting.credit', (credit) => {
  const kept = new Map<string, ReturnType<typeof credit>>()
  return (customer, call) => {
    const old = kept.get(customer) ?? credit(customer, call)
    kept.set(customer, old)
    return old
  }
})

/** An accounting system that has prices, and refuses all others. */
const withPrices = changeMethod('accounting.placeOrder', (placeOrder, { pricing }) => async (draft, call) => {
  const lines = draft.lines.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))
  const quote = await pricing.quote({ customerId: draft.customer_id, lines, codes: [] }, call)
  const agrees = quote.lines.every(({ unit_price }, i) => unit_price === draft.lines[i]!.unit_price)
  return agrees ? placeOrder(draft, call) : refusal('TOTALS_DISAGREE')
})

export const placeOrderMutants = mutantsOf(
  'accounting.placeOrder',
  ['loses the notes of an order', 'stores the complete order', changeDraft((draft) => ({ ...draft, notes: null }))],
  [
    'delivers what a customer wants to pick up',
    'a pickup order',
    changeDraft((draft) => ({ ...draft, fulfillment_method: 'DELIVERY' })),
  ],
  [
    'does not say which goods it lacks',
    'unknown goods by their SKU',
    changeRefusal((refused) => ({ ...refused, skus: [] })),
  ],
  [
    'takes a missing credit account for one without credit',
    'without a credit account',
    changeRefusal((refused) => ({ ...refused, reason: 'OVER_CREDIT_LIMIT' })),
  ],
  [
    'charges every order to the account',
    'the payment methods of the customer',
    changeDraft((draft) => ({ ...draft, payment_method: 'CREDIT_TERMS' })),
  ],
  [
    'takes a hold for another refusal',
    'a customer on hold',
    changeRefusal((refused) => ({ ...refused, reason: 'PAYMENT_METHOD_NOT_ALLOWED' })),
  ],
  [
    'refuses the order of an unknown customer for good',
    'rejects an order of an unknown customer',
    changeFailure('accounting.placeOrder', () => refusal('ACCOUNT_ON_HOLD')),
  ],
  ['returns an old credit', 'reduces the credit', withOldCredit],
  [
    'leaves the credit limit to Forecourt, and orders out of the credit',
    'never lets parallel orders',
    both(withoutOrders, changePort('accounting', { creditReservation: { exposureDelaySeconds: 0 } })),
  ],
  ['accepts orders above the credit that it returns', 'never lets parallel orders', withLowCredit],
  ['hides from staff where an order goes', 'shows staff', hideFromStaff({ shipping_address: null })],
  ['hides the PO of an order from staff', 'shows staff', hideFromStaff({ po_number: null })],
  ['hides the day of an order from staff', 'shows staff', hideFromStaff({ requested_date: null })],
  [
    'sells all lines as the first SKU',
    'several SKUs',
    changeDraft((draft) => ({ ...draft, lines: draft.lines.map((line) => ({ ...line, sku: draft.lines[0]!.sku })) })),
  ],
  [
    "sells at the draft's own unit price, as an accounting system without prices must",
    "not the system's own",
    (ports) => ports,
    { setting: { facts: { ledgerHasPrices: true }, complete: withPrices } },
  ],
)
