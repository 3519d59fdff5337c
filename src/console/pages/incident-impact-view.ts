import { Decimal } from 'decimal.js'
import type { StoredCartPricing } from '../../commands/carts/price-cart.ts'
import type { Incident } from '../../diagnostics/reports/incidents.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { listCartsById, listDelayedOrders } from '../../storage/console-search/impact-queries.ts'
import type { Database } from '../../storage/database.ts'
import { countSketch } from '../../storage/diagnostics/distinct-sketch.ts'
import { EVERY_MERCHANT } from '../../storage/diagnostics/end-incidents.ts'
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
  orders: string
  money: string
  olderValues: string
  /** A few of the orders that accounting did not confirm at once. */
  orderLinks: { id: string; href: string; status: string }[]
  figures: {
    shoppers: number
    carts: number
    open_carts: number
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

/** Reads whom an incident reached; `null`: an earlier release wrote it, or it is of all merchants. */
export async function readIncidentImpact(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<IncidentImpactView | null> {
  const { impact, tenant, mode, beganAt, lastAt, system } = incident
  if (impact === null || tenant === EVERY_MERCHANT) return null
  const key = { merchant: tenant, mode }
  const period = { from: new Date(beganAt).toISOString(), to: new Date(lastAt).toISOString(), limit: MAX_ORDERS }
  const [carts, orders] = await Promise.all([
    listCartsById(db, key, impact.cartIds),
    system === 'accounting' ? listDelayedOrders(db, key, period) : [],
  ])
  return toImpactView(incident, carts, orders, merchants.currency(tenant))
}

function toImpactView(
  { impact, answers }: Incident,
  carts: readonly CartRecord[],
  orders: readonly OrderRecord[],
  currency: string,
): IncidentImpactView {
  const { cartIds, stale, oldestMs, ...sketches } = impact!
  const [shoppers, cartCount] = [countSketch(sketches.shoppers), countSketch(sketches.carts)]
  const openCarts = carts.filter(({ state, order_id }) => state === 'ACTIVE' && order_id === null)
  const pending = orders.filter(({ status }) => status === 'PENDING')
  // Not all carts of a large incident are known: the others are taken to be like these.
  const scale = cartIds.length === 0 ? 1 : Math.max(1, cartCount / cartIds.length)
  const openCount = Math.round(openCarts.length * scale)
  const inCarts = sum(openCarts.map(cartTotal)).times(scale)
  const money = inCarts.plus(sum(pending.map(({ draft }) => new Decimal(draft.totals.total)))).toFixed(2)
  const unknown = openCarts.filter((cart) => readTotals(cart) === null).length
  return {
    shoppers: shoppers === 0 ? 'none' : describeEstimate(shoppers),
    carts:
      cartCount === 0
        ? 'none'
        : `${describeEstimate(cartCount)}, ${openCount === 0 ? 'all of them ordered or given up since' : `${openCount} of them not ordered yet`}`,
    orders: describeOrders(orders.length, pending.length),
    money: describeMoney(money, currency, unknown),
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
      delayed_orders: orders.length,
      pending_orders: pending.length,
      money_waiting: money,
      currency,
      older_values: stale,
      oldest_value_seconds: Math.round(oldestMs / 1_000),
    },
  }
}

/** Small counts are exact. */
const describeEstimate = (count: number) => (count < 10 ? formatNumber(count) : `about ${formatNumber(count)}`)

const sum = (amounts: readonly Decimal[]) => amounts.reduce((total, amount) => total.plus(amount), new Decimal(0))
const readTotals = ({ pricing }: CartRecord) => (pricing as StoredCartPricing | null)?.totals ?? null
const cartTotal = (cart: CartRecord) => new Decimal(readTotals(cart)?.total ?? 0)

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
