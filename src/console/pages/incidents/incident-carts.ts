import type { CartRecord } from '../../../storage/commerce/carts.ts'
import { listCartsById } from '../../../storage/commerce/operator-cart-queries.ts'
import { listOrdersById } from '../../../storage/commerce/operator-order-queries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { Database } from '../../../storage/database.ts'
import type { IncidentImpact } from '../../../storage/diagnostics/incident-impact.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import { modes, type Tenant } from '../../../tenant.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toCartPath, toCustomerPath } from '../../page-paths.ts'
import { readCartTotals } from '../../stored-cart-totals.ts'
import { formatMoney } from '../../text/format-money.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'
import type { CustomerLink } from './refused-checkout-customers.ts'

/** A cart that an incident affected, and the order that it became. */
export interface IncidentCart {
  cart: CartRecord
  /** `null`: it was not ordered, or its order is archived. */
  order: OrderRecord | null
}

export interface IncidentCartLink {
  id: string
  href: string
  customer: CustomerLink
  /** What became of it. */
  state: string
}

/** An incident of all merchants names those with requests. */
const MAX_MERCHANTS = 5

/** Returns the tenants whose shoppers an incident can have reached. */
export function listIncidentTenants(
  impact: IncidentImpact,
  { merchant, mode }: Tenant,
  merchants: MerchantDirectory,
): Tenant[] {
  if (merchant !== EVERY_MERCHANT) return [{ merchant, mode }]
  return Object.keys(impact.merchants)
    .filter(merchants.shows)
    .slice(0, MAX_MERCHANTS)
    .flatMap((one) => modes.map((ofOne) => ({ merchant: one, mode: ofOne })))
}

/** Reads the known carts of an incident that still exist. */
export async function readIncidentCarts(
  db: Database,
  impact: IncidentImpact,
  tenants: readonly Tenant[],
): Promise<IncidentCart[]> {
  const ids = [...new Set([...impact.cartIds, ...impact.refusedCartIds])]
  const carts = (await Promise.all(tenants.map((tenant) => listCartsById(db, tenant, ids)))).flat()
  const found = await listOrdersById(
    db,
    carts.flatMap(({ order_id }) => order_id ?? []),
  )
  const orders = new Map(found.map((order) => [order.order_id, order]))
  return carts.map((cart) => ({ cart, order: (cart.order_id !== null && orders.get(cart.order_id)) || null }))
}

export const isCartOpen = ({ cart: { state, order_id } }: IncidentCart) => state === 'ACTIVE' && order_id === null

/** Its order waits for accounting. */
export const isCartWaiting = ({ order }: IncidentCart) => order?.status === 'PENDING'

export function toCartLink(one: IncidentCart, merchants: MerchantDirectory): IncidentCartLink {
  const { cart_id, tenant_id, mode, customer_id } = one.cart
  return {
    id: cart_id,
    href: toCartPath(cart_id),
    customer: { id: customer_id, href: toCustomerPath(tenant_id, mode, customer_id) },
    state: describeCart(one, merchants),
  }
}

function describeCart(one: IncidentCart, merchants: MerchantDirectory): string {
  const { cart, order } = one
  if (order) return `became an order: ${describeOrderStatus(order.status).toLowerCase()}`
  if (cart.order_id !== null) return 'became an order'
  const totals = readCartTotals(cart)
  const worth = totals ? formatMoney(totals.total, merchants.currency(cart.tenant_id)) : 'without a total'
  return `${isCartOpen(one) ? 'not ordered yet' : 'given up'}, ${worth}`
}
