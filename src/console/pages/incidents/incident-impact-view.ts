import type { IncidentDetail } from '../../../diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { countOutageShoppers } from '../../../diagnostics/reports/outages.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { Database } from '../../../storage/database.ts'
import { countSketch } from '../../../storage/diagnostics/distinct-sketch.ts'
import { countCarts } from '../../../storage/diagnostics/incident-impact.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { readCartTotals, toCartTotal } from '../../stored-cart-totals.ts'
import { sumAmounts } from '../../sum-amounts.ts'
import type { ImpactFacts } from '../../text/affected-shopper-advice-text.ts'
import { describeDegradedResponses } from '../../text/degraded-responses-text.ts'
import {
  describeCartStates,
  describeCheckouts,
  describeEstimate,
  describeMerchantResponses,
  describeMoney,
  describeNoRefusedCheckout,
  describeOlderValues,
  describeOrders,
  describeShoppers,
  describeStoreOrders,
  SEVERAL_CURRENCIES,
} from '../../text/incident-impact-text.ts'
import {
  type IncidentCart,
  type IncidentCartLink,
  isCartOpen,
  isCartWaiting,
  listIncidentTenants,
  readIncidentCarts,
  toCartLink,
} from './incident-carts.ts'
import { type IncidentOrderLink, readIncidentOrders } from './incident-orders.ts'
import { type RefusedCustomer, type RefusedCustomers, readRefusedCustomers } from './refused-checkout-customers.ts'

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
  /** Money waits for accounting in orders. In open carts it waits only while the incident is ongoing. */
  moneyName: string
  money: string
  olderValues: string
  /** A few of the orders that accounting did not confirm at once. */
  orderLinks: IncidentOrderLink[]
  /** A few of the carts. */
  cartLinks: IncidentCartLink[]
  /** Customers whose checkout was refused, as far as their requests are recorded. */
  refusedCustomers: RefusedCustomer[]
  /** What decides what to tell the shoppers whom it hit. */
  adviceFacts: Omit<ImpactFacts, 'isOngoing'>
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

const MAX_LINKS = 10

/** Reads whom an incident reached; `null`: an earlier release wrote it. */
export async function readIncidentImpact(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<IncidentImpactView | null> {
  const { impact, tenant, mode } = incident
  if (impact === null) return null
  const tenants = listIncidentTenants(impact, { merchant: tenant, mode }, merchants)
  const [carts, refused, delayed] = await Promise.all([
    readIncidentCarts(db, impact, tenants),
    readRefusedCustomers(db, incident, tenants),
    readIncidentOrders(db, incident, merchants),
  ])
  return toImpactView(incident, { carts, refused, ...delayed }, merchants)
}

interface ImpactReadings {
  carts: readonly IncidentCart[]
  refused: RefusedCustomers
  orders: readonly OrderRecord[]
  /** More are not read. */
  maxOrders: number
  orderLinks: IncidentOrderLink[]
}

function toImpactView(
  { impact, endedAt, answers, tenant, system, section, ...incident }: Incident & Partial<IncidentDetail>,
  { carts: found, refused, orders, maxOrders, orderLinks }: ImpactReadings,
  merchants: MerchantDirectory,
): IncidentImpactView {
  const { cartIds, refusedCartIds, refusedCheckouts, stale, oldestMs } = impact!
  const isStore = tenant === EVERY_MERCHANT
  const currency = findCurrency(tenant, found, merchants)
  const carts = found.filter(({ cart }) => cartIds.includes(cart.cart_id))
  const refusedCarts = found.filter(({ cart }) => refusedCartIds.includes(cart.cart_id))
  const [shoppers, cartCount] = [countSketch(impact!.shoppers), countCarts(impact!)]
  const openCarts = carts.filter(isCartOpen)
  const pending = orders.filter(({ status }) => status === 'PENDING')
  // Not all carts of a large incident are known: the others are taken to be like these.
  const scale = cartIds.length === 0 ? 1 : Math.max(1, cartCount / cartIds.length)
  const estimate = (some: readonly IncidentCart[]) => Math.round(some.length * scale)
  const openCount = estimate(openCarts)
  const states = {
    waiting: estimate(carts.filter(isCartWaiting)),
    ordered: estimate(carts.filter((one) => one.cart.order_id !== null && !isCartWaiting(one))),
    open: openCount,
  }
  const waiting = {
    inOrders: sumAmounts(pending.map(({ draft }) => sumAmounts([]).plus(draft.totals.total))),
    orderCount: pending.length,
    inCarts: sumAmounts(openCarts.map(({ cart }) => toCartTotal(cart))).times(scale),
    cartCount: estimate(openCarts.filter(({ cart }) => readCartTotals(cart) !== null)),
    unpricedCount: estimate(openCarts.filter(({ cart }) => readCartTotals(cart) === null)),
    withoutCart: refused.customers
      .filter(
        ({ id, orders: ofCarts }) => ofCarts.length === 0 && !refusedCarts.some(({ cart }) => cart.customer_id === id),
      )
      .map(({ id }) => id),
  }
  const money = waiting.inOrders.plus(waiting.inCarts).toFixed(2)
  const refusedAndOpen = refusedCarts.filter(({ cart }) => cart.order_id === null)
  return {
    seen: describeDegradedResponses(impact!.seen, { system, section, oldestMs }),
    merchants: describeMerchantResponses(impact!.merchants, merchants),
    shoppers: describeShoppers(
      shoppers,
      incident.related?.length ? countOutageShoppers(impact!, incident.related) : null,
    ),
    carts:
      cartCount === 0
        ? noCartsText(refusedCheckouts)
        : `${describeEstimate(cartCount)}, ${describeCartStates(cartCount, states)}`,
    checkouts:
      refusedCheckouts === 0
        ? describeNoRefusedCheckout(countRefusedInOutage(incident.related))
        : describeCheckouts(
            impact!,
            refusedCarts.map(({ cart }) => cart),
            currency,
          ),
    orders: isStore ? describeStoreOrders(refusedCheckouts, refused) : describeOrders(orders, maxOrders),
    moneyName: endedAt === null || pending.length > 0 || openCount === 0 ? 'Money waiting' : 'Money in open carts',
    money: currency === null ? SEVERAL_CURRENCIES : describeMoney(waiting, currency),
    olderValues: describeOlderValues(answers, stale, oldestMs),
    orderLinks,
    cartLinks: carts.slice(0, MAX_LINKS).map((one) => toCartLink(one, merchants)),
    refusedCustomers: refused.customers,
    adviceFacts: {
      ...{ refusedCheckouts, refused, openCount, isStore },
      refusedCarts: refusedCartIds.length,
      orderedSince: refusedCarts.length - refusedAndOpen.length,
      pendingCount: pending.length,
    },
    figures: {
      shoppers,
      carts: cartCount,
      open_carts: openCount,
      refused_checkouts: refusedCheckouts,
      refused_money:
        isStore || currency === null
          ? null
          : sumAmounts(refusedAndOpen.map(({ cart }) => toCartTotal(cart))).toFixed(2),
      delayed_orders: orders.length,
      pending_orders: pending.length,
      money_waiting: isStore || currency === null ? null : money,
      currency: isStore ? '' : (currency ?? ''),
      older_values: stale,
      oldest_value_seconds: Math.round(oldestMs / 1_000),
    },
  }
}

/** A refused checkout may count in several sections. */
const countRefusedInOutage = (related: readonly Incident[] = []) =>
  Math.max(0, ...related.map(({ impact }) => impact?.refusedCheckouts ?? 0))

const noCartsText = (refusedCheckouts: number) => (refusedCheckouts > 0 ? 'none known' : 'none')

/** Returns the currency of a merchant, or of the only merchant with carts; `null`: several merchants have some. */
function findCurrency(tenant: string, carts: readonly IncidentCart[], merchants: MerchantDirectory): string | null {
  if (tenant !== EVERY_MERCHANT) return merchants.currency(tenant)
  const currencies = new Set(carts.map(({ cart }) => merchants.currency(cart.tenant_id)))
  return currencies.size > 1 ? null : ([...currencies][0] ?? '')
}
