import { findEndObstacle } from '../../../commands/orders/end-order-as-operator.ts'
import { ENDED_BY_OPERATOR } from '../../../commands/orders/order-transitions.ts'
import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { OrderDraft } from '../../../ports/order.ts'
import type { OrderTryRow } from '../../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { UpstreamRegistry } from '../../../upstream/upstream-registry.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toCartPath, toCustomerPath, toOrderPath, toProductPath } from '../../page-paths.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { capitalizeFailure } from '../../text/failure-kind-text.ts'
import { formatDurationBetween } from '../../text/format-durations.ts'
import { formatMoney } from '../../text/format-money.ts'
import { formatCount, formatNumber } from '../../text/format-numbers.ts'
import { capitalizeOrderAttempt, countFailedAttempts, isWithoutCall } from '../../text/order-attempt-text.ts'
import { describeOrderConfirmation } from '../../text/order-confirmation-text.ts'
import { describeOrderNumber } from '../../text/order-number-text.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'
import { describeOrderWait } from '../../text/order-wait-text.ts'
import { callAboutForecourt, callAboutSystem, type WhomToCall } from '../../whom-to-call.ts'
import { toCircuitPath } from '../circuit-page-path.ts'
import type { StatusPill } from '../status-pill.ts'
import { toCheckoutRequestView } from './checkout-requests-of-order.ts'
import { describeNoTries, toOrderTryViews } from './order-try-views.ts'

type AccountingCircuit = ReturnType<UpstreamRegistry['states']>[number]

export interface OrderPageFacts {
  tries: readonly OrderTryRow[]
  /** The recorded checkouts of its cart. */
  requests: readonly RequestRecord[]
  /** Pending orders of the tenant that are retried before this one. */
  ahead: number
  /** `null`: the merchant has no accounting system any more. */
  circuit: AccountingCircuit | null
}

const statusTones: Readonly<Record<OrderRecord['status'], StatusPill['tone']>> = {
  PENDING: 'warning',
  CONFIRMED: 'well',
  REJECTED: 'failing',
  CANCELLED: '',
}

export function toOrderPageView(order: OrderRecord, facts: OrderPageFacts, merchants: MerchantDirectory, now: number) {
  const { order_id, tenant_id, mode, cart_id, customer_id, draft, status } = order
  const toTime = (at: string) => merchants.time(at, tenant_id)
  return {
    id: order_id,
    path: toOrderPath(order_id),
    number: order.placed?.order_number ?? null,
    numberText: describeOrderNumber(order),
    whomToCall: toWhomToCall(order, facts, merchants),
    merchantName: merchants.name(tenant_id),
    mode,
    pill: { tone: statusTones[status], text: describeOrderStatus(status) },
    statusText: describeStatus(order, facts, merchants, now),
    todo: describeTodo(order, facts),
    customer: { id: customer_id, href: toCustomerPath(tenant_id, mode, customer_id) },
    cart: { id: cart_id, href: toCartPath(cart_id) },
    delivery: describeDelivery(draft),
    totals: toTotalViews(draft),
    created: toTime(order.created_at),
    updated: toTime(order.updated_at),
    lines: draft.lines.map(({ sku, name, quantity, uom, line_total }) => ({
      sku,
      href: toProductPath(tenant_id, mode, sku),
      name,
      quantity: `${formatNumber(Number(quantity))} ${uom}`,
      total: formatMoney(line_total, draft.currency),
    })),
    tries: toOrderTryViews(order, facts.tries, toTime),
    noTries: describeNoTries(order, facts.requests, (at) => toTime(at).text),
    requests: facts.requests.map((record) => toCheckoutRequestView(record, merchants)),
    waiting: status === 'PENDING' ? describeWaiting(order, facts, merchants) : [],
    inAccountingHref: facts.circuit && `${toOrderPath(order_id)}/accounting`,
    circuitHref: facts.circuit && toCircuitPath(facts.circuit),
    canEnd: findEndObstacle(order, facts.tries, now) === null,
  }
}

/** Whoever runs Forecourt has its log and its configuration. */
function toWhomToCall(
  { tenant_id, mode }: OrderRecord,
  { tries, circuit }: OrderPageFacts,
  merchants: MerchantDirectory,
): WhomToCall[] {
  const forecourt = callAboutForecourt(merchants)
  if (circuit === null) return [forecourt]
  const accounting = callAboutSystem(merchants, { merchant: tenant_id, mode }, 'accounting')
  return tries.at(-1)?.outcome === 'rejected' ? [accounting, forecourt] : [accounting]
}

const fulfillmentTexts: Readonly<Record<OrderDraft['fulfillment_method'], string>> = {
  DELIVERY: 'To the address of the shopper',
  PICKUP: 'Picked up by the shopper',
}

/** Returns the delivery option and the pickup place. The address of a shopper is not shown. */
const describeDelivery = ({ delivery, fulfillment_method }: OrderDraft) =>
  delivery
    ? [delivery.name, delivery.pickup_place?.name].filter(Boolean).join(': ')
    : `${fulfillmentTexts[fulfillment_method]}, without a delivery option`

function toTotalViews({ totals, currency }: OrderDraft) {
  const { subtotal, discount_total, shipping_total = '0', tax_total, total, tax_included } = totals
  const parts = [
    { name: 'Goods', amount: subtotal },
    { name: 'Discount', amount: discount_total },
    { name: 'Delivery price', amount: shipping_total },
    { name: tax_included ? 'Tax, included' : 'Tax', amount: tax_total },
  ]
  return [...parts.filter(({ amount }) => Number(amount) !== 0), { name: 'Total', amount: total }].map(
    ({ name, amount }) => ({ name, amount: formatMoney(amount, currency) }),
  )
}

function describeStatus(
  order: OrderRecord,
  { tries }: OrderPageFacts,
  merchants: MerchantDirectory,
  now: number,
): string {
  const toTime = (at: string) => merchants.time(at, order.tenant_id).text
  if (order.status === 'CONFIRMED')
    return `${describeOrderConfirmation(order, tries, toTime)} The shopper sees that when the page of the order is opened again.`
  if (order.status === 'CANCELLED') return `The order was cancelled at ${toTime(order.updated_at)}.`
  if (order.status === 'REJECTED') {
    const by =
      order.reject_reason === ENDED_BY_OPERATOR ? 'An operator ended the order' : 'Accounting refused the order'
    const reason =
      order.reject_reason === ENDED_BY_OPERATOR
        ? ''
        : `: ${capitalizeOrderAttempt({ outcome: 'refused', kind: order.reject_reason ?? 'no reason' })}`
    return `${by} at ${toTime(order.updated_at)}${reason}. The shopper sees it as rejected.`
  }
  const last = tries.at(-1)
  const failed = last ? countFailedAttempts(tries) : 'No attempt has ended yet'
  return `The order has waited for accounting since ${toTime(order.created_at)}, for ${formatDurationBetween(Date.parse(order.created_at), now)}. ${failed}. The shopper sees that it is being processed.`
}

/** Returns where a pending order waits, one sentence each. */
function describeWaiting(
  order: OrderRecord,
  { tries, ahead, circuit }: OrderPageFacts,
  merchants: MerchantDirectory,
): string[] {
  const nextAt = merchants.time(order.leased_until, order.tenant_id).text
  const isSent = tries.at(-1)?.number !== order.attempts
  if (circuit === null)
    return [describeOrderWait({ lastTry: null, attempts: order.attempts, nextAt, hasAccounting: false })]
  const sentences = [
    isSent
      ? `It is being sent to accounting. Without a response it is sent again after ${nextAt}.`
      : `The next attempt is at ${nextAt}.`,
  ]
  if (ahead > 0)
    sentences.push(
      `${formatCount(ahead, 'other order')} of this merchant ${ahead === 1 ? 'is' : 'are'} sent before it.`,
    )
  if (circuit.held?.isMaintenance)
    sentences.push(`Accounting is under maintenance, which ${circuit.held.by} has planned.`)
  else if (circuit.held?.state === 'open') sentences.push(`${circuit.held.by} has stopped all calls to accounting.`)
  else if (circuit.state !== 'closed') sentences.push('Calls to accounting are paused, because it failed too often.')
  return sentences
}

function describeTodo(order: OrderRecord, { tries, circuit }: OrderPageFacts): string {
  if (order.status === 'REJECTED') return 'Nothing is left to do here. The shopper may order again from a new cart.'
  if (order.status === 'CONFIRMED' && (tries.length > 1 || tries.some(({ outcome }) => outcome !== 'placed')))
    return 'Nothing is left to do here. Each attempt sent the same reference, so accounting has this order only once.'
  if (order.status !== 'PENDING') return 'Nothing is left to do here.'
  if (circuit === null)
    return 'Ask whoever runs Forecourt to put the accounting system of this merchant back into the configuration. Then the order is sent again.'
  const last = tries.at(-1)
  if (last?.outcome === 'rejected')
    return 'Accounting rejects this order for a reason that Forecourt does not recognize. Ask whoever runs Forecourt for the reason, which the log has under the id of the order, and whoever runs accounting to correct it. The next attempt after that can succeed. If the order cannot be placed at all, an operator can end it.'
  const isOwnDecision = last && isWithoutCall(last) && last.outcome !== 'circuit_open'
  const failure =
    last && (last.outcome === 'circuit_open' ? capitalizeFailure(last.kind) : capitalizeOrderAttempt(last))
  const advice = last
    ? `${isOwnDecision ? '' : `Tell whoever runs accounting: ${failure}. `}${adviceForFailure(last.kind)}`
    : ''
  return `${advice} The order is sent again until accounting confirms or refuses it. It is never placed twice.`.trim()
}
