import type { Incident } from '../../diagnostics/reports/incidents.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'
import { listCustomerOrders } from '../../storage/commerce/operator-customer-queries.ts'
import type { Database } from '../../storage/database.ts'
import { EVERY_MERCHANT } from '../../storage/diagnostics/open-incidents.ts'
import type { RequestRecordRow } from '../../storage/diagnostics/request-records.ts'
import { searchRequestRecords } from '../../storage/diagnostics/search-request-records.ts'
import type { Tenant } from '../../tenant.ts'
import { toCustomerPath, toOrderPath } from '../page-paths.ts'

export interface CustomerLink {
  id: string
  href: string
}

/** A customer whose checkout was refused. */
export interface RefusedCustomer extends CustomerLink {
  /** An order that was stored although its checkout was refused; `null`: none was. */
  order: CustomerLink | null
}

export interface RefusedCustomers {
  customers: RefusedCustomer[]
  /** The customer of each refused checkout is among these. */
  areAllKnown: boolean
}

const MAX_RECORDS = 100
const MAX_CUSTOMERS = 10
const MAX_ORDERS = 20
/** No request takes longer. */
const REQUEST_MS = 60_000

/**
 * Reads customers whose checkout an incident refused, as far as their requests are recorded. Only an error of the store leaves an order behind:
 * for any other error, no orders are looked for.
 */
export async function readRefusedCustomers(
  db: Database,
  incident: Incident,
  tenants: readonly Tenant[],
): Promise<RefusedCustomers> {
  const refusedCount = incident.impact?.refusedCheckouts ?? 0
  if (refusedCount === 0) return { customers: [], areAllKnown: true }
  const rows = await readRefusedCheckouts(db, incident, tenants)
  const byPath = new Map(
    rows.flatMap(({ tenant_id, mode, customer_id }) => {
      if (tenant_id === null || customer_id === null) return []
      return [[toCustomerPath(tenant_id, mode, customer_id), { merchant: tenant_id, mode, customer_id }] as const]
    }),
  )
  const customers = [...byPath].slice(0, MAX_CUSTOMERS).map(async ([href, customer]) => ({
    id: customer.customer_id,
    href,
    order: incident.tenant === EVERY_MERCHANT ? await findOrderOfOutage(db, incident, customer) : null,
  }))
  const areAllKnown =
    rows.length >= refusedCount && byPath.size <= MAX_CUSTOMERS && rows.every(({ customer_id }) => customer_id !== null)
  return { customers: await Promise.all(customers), areAllKnown }
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

/** An order is stored before it is sent. One that was stored after the outage is of a later checkout. */
async function findOrderOfOutage(
  db: Database,
  { beganAt, lastAt, recoveredAt }: Incident,
  customer: Tenant & { customer_id: string },
): Promise<CustomerLink | null> {
  const orders = await listCustomerOrders(db, customer, MAX_ORDERS)
  const isOfOutage = (at: number) => at >= beganAt - REQUEST_MS && at <= Math.max(lastAt, recoveredAt ?? lastAt)
  const found = orders.find(({ created_at }) => isOfOutage(Date.parse(created_at)))
  return found ? { id: found.order_number ?? found.order_id, href: toOrderPath(found.order_id) } : null
}

const readSections = ({ document }: RequestRecordRow) => (JSON.parse(document) as { sections: SectionTrace[] }).sections
