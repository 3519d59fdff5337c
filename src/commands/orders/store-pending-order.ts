import type { OrderDraft } from '../../ports/order.ts'
import { bindCartToOrder, type CartRecord, storeCartPricing } from '../../storage/commerce/carts.ts'
import { customerColumns } from '../../storage/commerce/customer-key.ts'
import { insertOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import { syncWal } from '../../storage/sync-wal.ts'
import { transact } from '../../storage/transact.ts'
import type { LivePricing } from '../carts/live-pricing.ts'
import { toStoredCartPricing } from '../carts/stored-cart-pricing.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'

const LEASE_MS = 8_000

/** Stores an order and binds its cart to it before it is sent. `null`: another process changed or ordered the cart meanwhile. */
export async function storePendingOrder(
  context: CustomerCommandContext,
  { cart_id, version, pricing: before }: CartRecord,
  draft: OrderDraft,
  live: LivePricing,
): Promise<OrderRecord | null> {
  const { db, now } = context.commerce
  const at = new Date(now()).toISOString()
  const record: OrderRecord = {
    ...customerColumns(toCustomerKey(context)),
    order_id: draft.reference,
    cart_id,
    status: 'PENDING',
    draft,
    placed: null,
    acknowledged: false,
    leased_until: new Date(now() + LEASE_MS).toISOString(),
    attempts: 0,
    reject_reason: null,
    created_at: at,
    updated_at: at,
  }
  const pricing = toStoredCartPricing({ version, pricing: before }, live, null, now())
  const isStored = await transact(db, async (transaction) => {
    if (!(await storeCartPricing(transaction, cart_id, version, pricing))) return false
    if (!(await bindCartToOrder(transaction, cart_id, version, record.order_id))) return false
    await insertOrder(transaction, record)
    return true
  })
  if (!isStored) return null
  // An order that accounting has and this store has lost would be placed a second time.
  await syncWal(db)
  return record
}
