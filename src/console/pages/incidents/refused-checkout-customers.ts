import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { type RequestRecord, toRequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { SectionTrace } from '../../../sections/section-trace.ts'
import type { Database } from '../../../storage/database.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import type { RequestRecordRow } from '../../../storage/diagnostics/request-records.ts'
import { searchRequestRecords } from '../../../storage/diagnostics/search-request-records.ts'
import type { Tenant } from '../../../tenant.ts'
import { toCustomerPath } from '../../page-paths.ts'
import type { RefusedCheckoutFacts } from '../../text/affected-shopper-advice-text.ts'
import { isRefusedWithoutCall } from '../../text/checkout-response-text.ts'
import { type RefusedCart, type RefusedCartOrder, readRefusedCarts } from './refused-carts.ts'

export interface CustomerLink {
  id: string
  href: string
}

/** A customer whose checkout was refused. */
export interface RefusedCustomer extends CustomerLink {
  /** What this customer's refused carts became, after an error of the store. */
  orders: RefusedCartOrder[]
}

export interface RefusedCustomers extends RefusedCheckoutFacts {
  /** A few of them: those with orders first. */
  customers: RefusedCustomer[]
}

const MAX_RECORDS = 100
const MAX_CUSTOMERS = 10

/**
 * Reads customers whose checkout an incident refused, as far as their requests are recorded or their carts are known. Only an error of the store
 * leaves an order behind: for any other error, no orders are looked for.
 */
export async function readRefusedCustomers(
  db: Database,
  incident: Incident,
  tenants: readonly Tenant[],
): Promise<RefusedCustomers> {
  const refusedCount = incident.impact?.refusedCheckouts ?? 0
  if (refusedCount === 0)
    return { customers: [], orderedCount: 0, unorderedCount: 0, withoutCallCount: 0, areSomeUnknown: false }
  const isStore = incident.tenant === EVERY_MERCHANT
  const [rows, carts] = await Promise.all([
    readRefusedCheckouts(db, incident, tenants),
    isStore ? readRefusedCarts(db, incident, tenants) : [],
  ])
  const ordered = carts.filter(({ order }) => order !== null)
  const customers = listCustomers(ordered, rows)
  const areOrdersNamed = customers.filter(({ orders }) => orders.length > 0).length <= MAX_CUSTOMERS
  const withoutCall = rows.map(toRequestRecord).filter(isRefusedWithoutCall)
  const isEachKnown = carts.length === refusedCount || countKnown(rows.map(toRequestRecord), carts) === refusedCount
  const isCertain = isEachKnown && ordered.every(({ order }) => order!.isInForce) && areOrdersNamed
  return {
    customers: customers.slice(0, MAX_CUSTOMERS),
    orderedCount: ordered.length,
    unorderedCount: carts.length - ordered.length,
    withoutCallCount: isStore ? withoutCall.length : 0,
    areSomeUnknown: isStore && !isCertain,
  }
}

/** Counts the recorded checkouts of which it is certain what became of them: they made no call, or their cart shows it. */
const countKnown = (records: readonly RequestRecord[], carts: readonly RefusedCart[]) =>
  records.filter((record) => isRefusedWithoutCall(record) || carts.some(({ cartId }) => cartId === record.cartId))
    .length

function listCustomers(ordered: readonly RefusedCart[], rows: readonly RequestRecordRow[]): RefusedCustomer[] {
  const byPath = new Map<string, RefusedCustomer>()
  const add = (href: string, id: string, orders: RefusedCartOrder[]) =>
    byPath.set(href, { id, href, orders: [...(byPath.get(href)?.orders ?? []), ...orders] })
  for (const { merchant, mode, customerId, order } of ordered)
    add(toCustomerPath(merchant, mode, customerId), customerId, [order!])
  for (const { tenant_id, mode, customer_id } of rows)
    if (tenant_id !== null && customer_id !== null) add(toCustomerPath(tenant_id, mode, customer_id), customer_id, [])
  return [...byPath.values()]
}

async function readRefusedCheckouts(
  db: Database,
  { tenant, system, section, beganAt, lastAt }: Incident,
  tenants: readonly Tenant[],
): Promise<RequestRecordRow[]> {
  const during = { from: new Date(beganAt).toISOString(), to: new Date(lastAt).toISOString() }
  const refused = { kinds: ['degraded'] as const, route: 'checkout', status: { min: 400, max: 599 }, during }
  const found = await Promise.all(
    tenants.map((one) => searchRequestRecords(db, { ...one, ...refused, limit: MAX_RECORDS })),
  )
  return found
    .flat()
    .filter((row) =>
      tenant === EVERY_MERCHANT
        ? row.code === 'store_unavailable'
        : readSections(row).some((one) => one.name === section && (one.system ?? '') === system && one.code !== null),
    )
}

const readSections = ({ document }: RequestRecordRow) => (JSON.parse(document) as { sections: SectionTrace[] }).sections
