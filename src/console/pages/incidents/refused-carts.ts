import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { listCartsById } from '../../../storage/commerce/operator-cart-queries.ts'
import {
  listArchivedOrdersOfCarts,
  listCustomersWithOrders,
  listOrdersOfCarts,
} from '../../../storage/commerce/operator-order-queries.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tenant } from '../../../tenant.ts'
import { toOrderPath } from '../../page-paths.ts'

/** The order that a refused cart became, in its refused checkout or later. */
export interface RefusedCartOrder {
  id: string
  href: string
  /** Accounting has it, or will get it. `false`: it was rejected or cancelled, or is archived, and its state is not known. */
  isInForce: boolean
}

/** A cart whose checkout an error of the store refused. Only its own order shows that this cart was ordered. */
export interface RefusedCart extends Tenant {
  customerId: string
  cartId: string
  /** `null`: it has none. */
  order: RefusedCartOrder | null
}

/** No request takes longer. */
export const MAX_REQUEST_MS = 60_000

/**
 * Reads what became of the known refused carts of an incident. A cart is left out if nothing is certain: it is no longer stored, or its customer
 * has an order of the time of the outage that is not the cart's.
 */
export const readRefusedCarts = async (
  db: Database,
  incident: Incident,
  tenants: readonly Tenant[],
): Promise<RefusedCart[]> => (await Promise.all(tenants.map((one) => readCartsOfTenant(db, incident, one)))).flat()

async function readCartsOfTenant(db: Database, incident: Incident, tenant: Tenant): Promise<RefusedCart[]> {
  const cartIds = incident.impact?.refusedCartIds ?? []
  const [carts, orders, archived] = await Promise.all([
    listCartsById(db, tenant, cartIds),
    listOrdersOfCarts(db, tenant, cartIds),
    listArchivedOrdersOfCarts(db, tenant, cartIds),
  ])
  const ordered = new Map<string, RefusedCart>()
  const add = (cartId: string, customerId: string, order: RefusedCartOrder) =>
    ordered.set(cartId, { ...tenant, customerId, cartId, order })
  for (const { cart_id, order_id, customer_id } of archived)
    add(cart_id, customer_id, { id: order_id, href: toOrderPath(order_id), isInForce: false })
  for (const { cart_id, order_id, order_number, customer_id, status } of orders) {
    const isInForce = status === 'PENDING' || status === 'CONFIRMED'
    add(cart_id, customer_id, { id: order_number ?? order_id, href: toOrderPath(order_id), isInForce })
  }
  const open = carts.filter(({ cart_id, order_id }) => order_id === null && !ordered.has(cart_id))
  const customerIds = [...new Set(open.map(({ customer_id }) => customer_id))]
  const uncertain = await listCustomersWithOrders(db, tenant, { customerIds, ...toPeriod(incident) })
  const unordered = open.filter(({ customer_id }) => !uncertain.includes(customer_id))
  return [
    ...ordered.values(),
    ...unordered.map(({ customer_id, cart_id }) => ({
      ...{ ...tenant, customerId: customer_id, cartId: cart_id, order: null },
    })),
  ]
}

/** An order is stored before the response of its checkout. */
function toPeriod({ beganAt, lastAt, recoveredAt, endedAt }: Incident) {
  const from = new Date(beganAt - MAX_REQUEST_MS).toISOString()
  return { from, to: endedAt === null ? LAST_TIME : new Date(Math.max(lastAt, recoveredAt ?? lastAt)).toISOString() }
}

const LAST_TIME = '9999'
