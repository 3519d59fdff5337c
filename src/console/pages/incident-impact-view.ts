import type { Incident, IncidentDetail } from '../../diagnostics/reports/incidents.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { listCartsById } from '../../storage/commerce/operator-cart-queries.ts'
import { listDelayedOrders } from '../../storage/commerce/operator-order-queries.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import type { Database } from '../../storage/database.ts'
import { countSketch } from '../../storage/diagnostics/distinct-sketch.ts'
import { EVERY_MERCHANT } from '../../storage/diagnostics/open-incidents.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toCartPath, toCustomerPath } from '../page-paths.ts'
import { describeDegradedResponses } from '../text/degraded-responses-text.ts'
import { formatCount } from '../text/format-numbers.ts'
import {
  describeCartStates,
  describeCheckouts,
  describeEstimate,
  describeMerchantResponses,
  describeMoney,
  describeOlderValues,
  describeOrders,
  describeShoppers,
  describeStoreMoney,
  describeStoreOrders,
  readCartTotals,
  sumAmounts,
  toCartTotal,
  type WaitingMoney,
} from '../text/incident-impact-text.ts'
import { countOutageShoppers } from './group-outages.ts'
import { type IncidentOrderLink, readOrderLinks } from './incident-order-links.ts'
import { type CustomerLink, readRefusedCheckoutCustomers } from './refused-checkout-customers.ts'

/** Whom an incident reached, in words and as figures for an export. */
export interface IncidentImpactView {
  /** What these shoppers saw, with counts; empty: an earlier release wrote the incident. */
  seen: string[]
  /** How many responses each merchant had; empty: the incident belongs to one, or that is unknown. */
  merchants: string
  shoppers: string
  carts: string
  checkouts: string
  orders: string
  money: string
  olderValues: string
  /** A few of the orders that accounting did not confirm at once. */
  orderLinks: IncidentOrderLink[]
  /** A few of the carts. */
  cartLinks: { id: string; href: string; customer: CustomerLink }[]
  /** Customers whose checkout was refused, as far as their requests are recorded. */
  refusedCustomers: CustomerLink[]
  /** What to tell the shoppers whom it hit, one sentence each. */
  advice: string[]
  figures: {
    shoppers: number
    carts: number
    open_carts: number
    refused_checkouts: number
    /** The totals of the carts that were refused and not ordered since. */
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
/** An order is stored before accounting is called, so before the first response that the incident counts. No request takes longer. */
const REQUEST_MS = 60_000

/** Reads whom an incident reached; `null`: an earlier release wrote it. Orders and money of all merchants are not added up. */
export async function readIncidentImpact(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<IncidentImpactView | null> {
  const { impact, tenant, mode, beganAt, lastAt, system } = incident
  if (impact === null) return null
  const refusedCustomers = await readRefusedCheckoutCustomers(db, incident, merchants)
  if (tenant === EVERY_MERCHANT)
    return toImpactView(incident, null, { orders: [], orderLinks: [], refusedCustomers }, merchants)
  const key = { merchant: tenant, mode }
  const iso = (ms: number) => new Date(ms).toISOString()
  const period = { from: iso(beganAt - REQUEST_MS), to: iso(lastAt), limit: MAX_ORDERS }
  const [carts, orders] = await Promise.all([
    listCartsById(db, key, [...new Set([...impact.cartIds, ...impact.refusedCartIds])]),
    system === 'accounting' ? listDelayedOrders(db, key, period) : [],
  ])
  const orderLinks = await readOrderLinks(db, orders.slice(0, MAX_LINKS), merchants)
  return toImpactView(incident, carts, { orders, orderLinks, refusedCustomers }, merchants)
}

interface ImpactReadings {
  orders: readonly OrderRecord[]
  orderLinks: IncidentOrderLink[]
  refusedCustomers: CustomerLink[]
}

function toImpactView(
  { impact, endedAt, answers, tenant, mode, system, section, ...incident }: Incident & Partial<IncidentDetail>,
  foundCarts: readonly CartRecord[] | null,
  { orders, orderLinks, refusedCustomers }: ImpactReadings,
  merchants: MerchantDirectory,
): IncidentImpactView {
  const { cartIds, refusedCartIds, refusedCheckouts, stale, oldestMs, ...sketches } = impact!
  const currency = foundCarts === null ? '' : merchants.currency(tenant)
  const carts = (foundCarts ?? []).filter(({ cart_id }) => cartIds.includes(cart_id))
  const refusedCarts = (foundCarts ?? []).filter(({ cart_id }) => refusedCartIds.includes(cart_id))
  const [shoppers, cartCount] = [countSketch(sketches.shoppers), countSketch(sketches.carts)]
  const openCarts = carts.filter(isOpen)
  const pending = orders.filter(({ status }) => status === 'PENDING')
  // Not all carts of a large incident are known: the others are taken to be like these.
  const scale = cartIds.length === 0 ? 1 : Math.max(1, cartCount / cartIds.length)
  const estimate = (found: readonly CartRecord[]) => Math.round(found.length * scale)
  const openCount = estimate(openCarts)
  const orderedCount = estimate(carts.filter(({ order_id }) => order_id !== null))
  const waiting: WaitingMoney = {
    inOrders: sumAmounts(pending.map(({ draft }) => sumAmounts([]).plus(draft.totals.total))),
    orderCount: pending.length,
    inCarts: sumAmounts(openCarts.map(toCartTotal)).times(scale),
    cartCount: estimate(openCarts.filter((cart) => readCartTotals(cart) !== null)),
    unpricedCount: refusedCarts.filter((cart) => isOpen(cart) && readCartTotals(cart) === null).length,
  }
  const money = waiting.inOrders.plus(waiting.inCarts).toFixed(2)
  const states = foundCarts === null ? '' : `, ${describeCartStates(cartCount, orderedCount, openCount)}`
  const noCarts = foundCarts === null || refusedCheckouts > 0 ? 'none known' : 'none'
  return {
    seen: describeDegradedResponses(impact!.seen, { system, section, oldestMs }),
    merchants: describeMerchantResponses(impact!.merchants, merchants),
    shoppers: describeShoppers(shoppers, countOutageShoppers(impact!, incident.related ?? [])),
    carts: cartCount === 0 ? noCarts : `${describeEstimate(cartCount)}${states}`,
    checkouts: describeCheckouts(impact!, foundCarts && refusedCarts, currency),
    orders: foundCarts === null ? describeStoreOrders(refusedCheckouts) : describeOrders(orders, MAX_ORDERS),
    money: foundCarts === null ? describeStoreMoney(impact!) : describeMoney(waiting, currency),
    olderValues: describeOlderValues(answers, stale, oldestMs),
    orderLinks,
    cartLinks: carts.slice(0, MAX_LINKS).map(({ cart_id, customer_id }) => ({
      id: cart_id,
      href: toCartPath(cart_id),
      customer: { id: customer_id, href: toCustomerPath(tenant, mode, customer_id) },
    })),
    refusedCustomers,
    advice: toAdvice({
      refusedCheckouts,
      pendingCount: pending.length,
      isStore: foundCarts === null,
      isOngoing: endedAt === null,
    }),
    figures: {
      shoppers,
      carts: cartCount,
      open_carts: openCount,
      refused_checkouts: refusedCheckouts,
      refused_money: foundCarts && sumAmounts(refusedCarts.filter(isNotOrdered).map(toCartTotal)).toFixed(2),
      delayed_orders: orders.length,
      pending_orders: pending.length,
      money_waiting: foundCarts && money,
      currency,
      older_values: stale,
      oldest_value_seconds: Math.round(oldestMs / 1_000),
    },
  }
}

/** After an error of the store, the order of a checkout may exist; after any other error it does not. */
function toAdvice(facts: {
  refusedCheckouts: number
  pendingCount: number
  isStore: boolean
  isOngoing: boolean
}): string[] {
  const { refusedCheckouts, pendingCount, isStore, isOngoing } = facts
  const when = isOngoing ? ` once ${isStore ? 'the store' : 'the system'} works again` : ''
  const again = isStore
    ? `Shoppers whose checkout was refused can try again${when}. Look at the orders of the customer first: an order may exist although its checkout was refused.`
    : `Nothing was ordered by the checkouts that were refused: these shoppers can order again${when}.`
  const waits = `${formatCount(pendingCount, 'order')} still ${pendingCount === 1 ? 'waits' : 'wait'}: see Orders below.`
  return [...(refusedCheckouts > 0 ? [again] : []), ...(pendingCount > 0 ? [waits] : [])]
}

const isOpen = ({ state, order_id }: CartRecord) => state === 'ACTIVE' && order_id === null
const isNotOrdered = ({ order_id }: CartRecord) => order_id === null
