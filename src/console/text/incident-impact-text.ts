import type { Decimal } from 'decimal.js'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { type IncidentImpact, MAX_CART_IDS } from '../../storage/diagnostics/incident-impact.ts'
import type { ResponsesByMerchant } from '../../storage/diagnostics/merchant-response-counts.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { readCartTotals, toCartTotal } from '../stored-cart-totals.ts'
import { sumAmounts } from '../sum-amounts.ts'
import type { RefusedCheckoutFacts } from './affected-shopper-advice-text.ts'
import { formatDuration } from './format-durations.ts'
import { formatMoney } from './format-money.ts'
import { formatCount, formatNumber } from './format-numbers.ts'

/** Small counts are exact. */
export const describeEstimate = (count: number): string =>
  count < 10 ? formatNumber(count) : `about ${formatNumber(count)}`

export interface CartStateCounts {
  /** Their orders wait for accounting. */
  waiting: number
  ordered: number
  open: number
}

/** Carts that were neither ordered nor can be were given up; those that are deleted by now may have been ordered and archived. */
export function describeCartStates(cartCount: number, { waiting, ordered, open }: CartStateCounts): string {
  const givenUp = Math.max(0, cartCount - waiting - ordered - open)
  const states = [
    [waiting, 'in an order that waits for accounting'],
    [ordered, 'ordered since'],
    [open, 'not ordered yet'],
    [givenUp, 'given up or no longer stored'],
  ] as const
  const known = states.filter(([count]) => count > 0)
  return known.length === 1 ? known[0]![1] : known.map(([count, state]) => `${count} ${state}`).join(', ')
}

/** `inOutage`: how many checkouts the same system refused at that time in another section. */
export const describeNoRefusedCheckout = (inOutage: number): string =>
  inOutage === 0
    ? 'none refused'
    : `none of these responses was a refused checkout, but the same outage refused ${formatNumber(inOutage)}: see the other incidents of the outage above`

/** Describes the checkouts that failed with an error. A cart may be tried again later, and is then ordered. `currency`: `null` for several. */
export function describeCheckouts(
  { refusedCheckouts, refusedCartIds }: IncidentImpact,
  carts: readonly CartRecord[],
  currency: string | null,
): string {
  const refused = `${formatNumber(refusedCheckouts)} refused`
  if (refusedCartIds.length === 0)
    return `${refused}; ${refusedCheckouts === 1 ? 'which cart it was for' : 'which carts they were for'} is not known`
  const some = refusedCartIds.length === MAX_CART_IDS ? 'at least ' : ''
  const ofCarts = `${refused}; ${some}${formatCount(refusedCartIds.length, 'cart')} known`
  if (currency === null) return ofCarts
  const missing = refusedCartIds.length - carts.length
  const gone = missing > 0 ? [`${formatNumber(missing)} no longer stored`] : []
  if (carts.length === 0) return `${ofCarts} (${gone[0]}); whether they were ordered since is not known`
  const known = carts.filter((cart) => readCartTotals(cart) !== null)
  const worth =
    known.length === 0
      ? 'without a total'
      : `${known.length} with a total, together ${formatMoney(sumAmounts(known.map(toCartTotal)).toFixed(2), currency)}`
  const ordered = carts.filter(({ order_id }) => order_id !== null).length
  const since = ordered === 0 ? (missing > 0 ? 'none of those stored' : 'none') : `${ordered}`
  return `${ofCarts} (${[worth, ...gone].join(', ')}); ${since}${ordered === 0 ? ' was' : ''} ordered since`
}

/** Describes the orders that accounting did not confirm at once. */
export function describeOrders(orders: readonly Pick<OrderRecord, 'status'>[], maxCount: number): string {
  const delayed = orders.length
  if (delayed === 0) return 'none waited for accounting'
  const byStatus = Map.groupBy(orders, ({ status }) => status)
  const pending = byStatus.get('PENDING')?.length ?? 0
  const count = `${delayed === maxCount ? 'at least ' : ''}${formatCount(delayed, 'order')} not confirmed at once`
  if (pending === delayed) return `${count}, and still waiting`
  if (pending > 0) return `${count}, of which ${formatNumber(pending)} ${pending === 1 ? 'is' : 'are'} still waiting`
  const outcomes = [...byStatus].map(([status, { length }]) =>
    length === delayed ? status.toLowerCase() : `${formatNumber(length)} ${status.toLowerCase()}`,
  )
  return `${count}, and ${outcomes.join(', ')} since`
}

/** After an error of the store, the order of a checkout may be stored. */
export function describeStoreOrders(refusedCheckouts: number, refused: RefusedCheckoutFacts): string {
  const confirmed = 'orders that were confirmed before are not lost'
  if (refusedCheckouts === 0) return `none could be placed; ${confirmed}`
  const { orderedCount, unorderedCount, withoutCallCount, areSomeUnknown } = refused
  if (withoutCallCount === refusedCheckouts && orderedCount === 0)
    return `none was placed: each refused checkout was refused before any call to a system; ${confirmed}`
  if (!areSomeUnknown && orderedCount === 0) return `none of the refused carts was ordered; ${confirmed}`
  const known = [
    ...(orderedCount > 0 ? [`${formatCount(orderedCount, 'refused cart')} became an order`] : []),
    ...(unorderedCount > 0 ? [`${formatCount(unorderedCount, 'refused cart')} not ordered`] : []),
    ...(areSomeUnknown ? [`not known for all refused checkouts`] : []),
  ]
  return `${known.join('; ')}; ${confirmed}`
}

export const SEVERAL_CURRENCIES = 'not added up: merchants have currencies of their own'

/** Many shoppers behind one server count as one. */
export const countAtLeast = (shoppers: number): string => `at least ${describeEstimate(shoppers)}`

/** `inOutage`: `null` if the system degraded no other section; else of all sections that the system degraded at the same time. Who was affected by several of them counts once. */
export const describeShoppers = (count: number, inOutage: number | null): string =>
  `${count === 0 ? 'none' : countAtLeast(count)}${inOutage === null ? '' : `; ${countAtLeast(inOutage)} in the whole outage`}`

/** What is not paid yet: in orders that wait, and in carts that can still be ordered. */
export interface WaitingMoney {
  inOrders: Decimal
  orderCount: number
  /** In open carts with a stored total. */
  inCarts: Decimal
  cartCount: number
  /** Open carts without a stored total: they were never priced completely. */
  unpricedCount: number
  /** Customers whose checkout was refused and whose cart is not known. */
  withoutCart: readonly string[]
}

export function describeMoney(
  { inOrders, orderCount, inCarts, cartCount, unpricedCount, withoutCart }: WaitingMoney,
  currency: string,
): string {
  const parts = [
    ...(orderCount > 0
      ? [`${formatMoney(inOrders.toFixed(2), currency)} in ${formatCount(orderCount, 'waiting order')}`]
      : []),
    ...(cartCount > 0
      ? [`about ${formatMoney(inCarts.toFixed(2), currency)} in ${formatCount(cartCount, 'open cart')}`]
      : []),
    ...(unpricedCount > 0
      ? [formatCount(unpricedCount, 'open cart without a total', 'open carts without totals')]
      : []),
    ...(withoutCart.length > 0 ? [`not known for the cart of ${withoutCart.join(', ')}`] : []),
  ]
  return parts.length === 0 ? 'none' : parts.join('; ')
}

export function describeOlderValues(responses: number, stale: number, oldestMs: number): string {
  if (stale === 0) return 'none'
  const rest = responses - stale
  const nothing = rest > 0 ? `; ${formatNumber(rest)} had none` : ''
  return `${formatNumber(stale)} of ${formatCount(responses, 'response')} had an older value, at most ${formatDuration(oldestMs)} old${nothing}`
}

/** Says how many of the responses each merchant had. Only merchants that pages show are named. */
export function describeMerchantResponses(counts: ResponsesByMerchant, merchants: MerchantDirectory): string {
  const shown = Object.entries(counts).filter(([merchant]) => merchants.shows(merchant))
  if (shown.length === 0) return ''
  const named = shown
    .toSorted(([, one], [, other]) => other - one)
    .map(([merchant, count]) => `${merchants.name(merchant)}: ${formatCount(count, 'request')}`)
  return `${named.join(', ')}${merchants.ids.length > shown.length ? '; no requests of the other merchants' : ''}`
}
