import { Decimal } from 'decimal.js'
import type { StoredCartPricing } from '../../commands/carts/price-cart.ts'
import type { Incident } from '../../diagnostics/reports/incidents.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { listCartsById } from '../../storage/commerce/operator-cart-queries.ts'
import { listDelayedOrders } from '../../storage/commerce/operator-order-queries.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import type { Database } from '../../storage/database.ts'
import { countSketch } from '../../storage/diagnostics/distinct-sketch.ts'
import { type IncidentImpact, MAX_CART_IDS } from '../../storage/diagnostics/incident-impact.ts'
import { EVERY_MERCHANT } from '../../storage/diagnostics/open-incidents.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toOrderPath } from '../search/support-paths.ts'
import { formatDuration } from '../text/format-durations.ts'
import { formatMoney } from '../text/format-money.ts'
import { formatCount, formatNumber } from '../text/format-numbers.ts'
import { describeOrderStatus } from '../text/order-status-text.ts'

/** Whom an incident reached, in words and as figures for an export. */
export interface IncidentImpactView {
  shoppers: string
  carts: string
  checkouts: string
  orders: string
  money: string
  olderValues: string
  /** A few of the orders that accounting did not confirm at once. */
  orderLinks: { id: string; href: string; status: string }[]
  figures: {
    shoppers: number
    carts: number
    open_carts: number
    refused_checkouts: number
    refused_money: string | null
    delayed_orders: number
    pending_orders: number
    money_waiting: string | null
    currency: string
    older_values: number
    oldest_value_seconds: number
  }
}

const MAX_ORDERS = 500
const MAX_LINKS = 10

/** Reads whom an incident reached; `null`: an earlier release wrote it. Orders and money of all merchants are not added up. */
export async function readIncidentImpact(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<IncidentImpactView | null> {
  const { impact, tenant, mode, beganAt, lastAt, system } = incident
  if (impact === null) return null
  if (tenant === EVERY_MERCHANT) return toImpactView(incident, null, [], '')
  const key = { merchant: tenant, mode }
  const period = { from: new Date(beganAt).toISOString(), to: new Date(lastAt).toISOString(), limit: MAX_ORDERS }
  const [carts, orders] = await Promise.all([
    listCartsById(db, key, [...new Set([...impact.cartIds, ...impact.refusedCartIds])]),
    system === 'accounting' ? listDelayedOrders(db, key, period) : [],
  ])
  return toImpactView(incident, carts, orders, merchants.currency(tenant))
}

function toImpactView(
  { impact, answers }: Incident,
  foundCarts: readonly CartRecord[] | null,
  orders: readonly OrderRecord[],
  currency: string,
): IncidentImpactView {
  const { cartIds, refusedCartIds, refusedCheckouts, stale, oldestMs, ...sketches } = impact!
  const carts = (foundCarts ?? []).filter(({ cart_id }) => cartIds.includes(cart_id))
  const refusedCarts = (foundCarts ?? []).filter(({ cart_id }) => refusedCartIds.includes(cart_id))
  const [shoppers, cartCount] = [countSketch(sketches.shoppers), countSketch(sketches.carts)]
  const openCarts = carts.filter(({ state, order_id }) => state === 'ACTIVE' && order_id === null)
  const pending = orders.filter(({ status }) => status === 'PENDING')
  // Not all carts of a large incident are known: the others are taken to be like these.
  const scale = cartIds.length === 0 ? 1 : Math.max(1, cartCount / cartIds.length)
  const openCount = Math.round(openCarts.length * scale)
  const orderedCount = Math.round(carts.filter(({ order_id }) => order_id !== null).length * scale)
  const inCarts = sum(openCarts.map(cartTotal)).times(scale)
  const money = inCarts.plus(sum(pending.map(({ draft }) => new Decimal(draft.totals.total)))).toFixed(2)
  const unknown = openCarts.filter((cart) => readTotals(cart) === null).length
  return {
    shoppers: shoppers === 0 ? 'none' : describeEstimate(shoppers),
    carts:
      cartCount === 0
        ? 'none'
        : foundCarts === null
          ? describeEstimate(cartCount)
          : `${describeEstimate(cartCount)}: ${describeCartStates(cartCount, orderedCount, openCount)}`,
    checkouts: describeCheckouts(impact!, foundCarts && refusedCarts, currency),
    orders: foundCarts === null ? 'see the orders of each merchant' : describeOrders(orders.length, pending.length),
    money:
      foundCarts === null
        ? 'not added up: merchants have currencies of their own'
        : describeMoney(money, currency, unknown),
    olderValues: describeOlderValues(answers, stale, oldestMs),
    orderLinks: orders.slice(0, MAX_LINKS).map(({ order_id, status }) => ({
      id: order_id,
      href: toOrderPath(order_id),
      status: describeOrderStatus(status).toLowerCase(),
    })),
    figures: {
      shoppers,
      carts: cartCount,
      open_carts: openCount,
      refused_checkouts: refusedCheckouts,
      refused_money: foundCarts && sum(refusedCarts.map(cartTotal)).toFixed(2),
      delayed_orders: orders.length,
      pending_orders: pending.length,
      money_waiting: foundCarts && money,
      currency,
      older_values: stale,
      oldest_value_seconds: Math.round(oldestMs / 1_000),
    },
  }
}

/** Carts that were neither ordered nor can be, or that are deleted by now, were given up. */
function describeCartStates(cartCount: number, orderedCount: number, openCount: number): string {
  const givenUp = Math.max(0, cartCount - orderedCount - openCount)
  const states = [`${orderedCount} ordered since`, `${openCount} not ordered yet`, `${givenUp} given up`]
  return states.filter((state) => !state.startsWith('0 ')).join(', ')
}

/** Small counts are exact. */
const describeEstimate = (count: number) => (count < 10 ? formatNumber(count) : `about ${formatNumber(count)}`)

const sum = (amounts: readonly Decimal[]) => amounts.reduce((total, amount) => total.plus(amount), new Decimal(0))
const readTotals = ({ pricing }: CartRecord) => (pricing as StoredCartPricing | null)?.totals ?? null
const cartTotal = (cart: CartRecord) => new Decimal(readTotals(cart)?.total ?? 0)

/** Describes the checkouts that failed with an error. A cart may be tried again later, and is then ordered. */
function describeCheckouts(
  { refusedCheckouts, refusedCartIds }: IncidentImpact,
  carts: readonly CartRecord[] | null,
  currency: string,
): string {
  if (refusedCheckouts === 0) return 'none refused'
  const refused = `${formatNumber(refusedCheckouts)} refused`
  if (refusedCartIds.length === 0) return `${refused}, of unknown carts`
  const some = refusedCartIds.length === MAX_CART_IDS ? 'at least ' : ''
  const ofCarts = `${refused}, of ${some}${formatCount(refusedCartIds.length, 'cart')}`
  if (carts === null) return ofCarts
  const known = carts.filter((cart) => readTotals(cart) !== null)
  const total = formatMoney(sum(known.map(cartTotal)).toFixed(2), currency)
  const worth = known.length === 0 ? 'no total is known' : `${known.length} with a known total, together ${total}`
  const ordered = carts.filter(({ order_id }) => order_id !== null).length
  return `${ofCarts}: ${worth}; ${ordered} ordered since`
}

function describeOrders(delayed: number, pending: number): string {
  if (delayed === 0) return 'none waited for accounting'
  const count = `${delayed === MAX_ORDERS ? 'at least ' : ''}${formatCount(delayed, 'order')} delayed`
  return pending === 0
    ? `${count}, all of them confirmed or rejected since`
    : `${count}, ${pending} of them still waiting`
}

function describeMoney(money: string, currency: string, unknown: number): string {
  if (Number(money) === 0)
    return unknown === 0 ? 'none' : `unknown: ${formatCount(unknown, 'open cart')} without a total`
  const without = unknown === 0 ? '' : `, without ${formatCount(unknown, 'cart')} that had no total`
  return `about ${formatMoney(money, currency)} in open carts and waiting orders${without}`
}

function describeOlderValues(responses: number, stale: number, oldestMs: number): string {
  if (stale === 0) return 'none: these responses had nothing in place of the section'
  const rest = responses - stale
  const nothing = rest > 0 ? `; ${formatNumber(rest)} had nothing` : ''
  return `${formatNumber(stale)} of ${formatCount(responses, 'response')} had an older value, at most ${formatDuration(oldestMs)} old${nothing}`
}
