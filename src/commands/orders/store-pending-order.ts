import type { OrderDraft } from '../../ports/order.ts'
import { bindCartToOrder, type CartRecord, storeCartPricing } from '../../storage/commerce/carts.ts'
import { customerColumns } from '../../storage/commerce/customer-key.ts'
import { insertOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import { syncWal } from '../../storage/sqlite/sync-wal.ts'
import { transact } from '../../storage/transact.ts'
import type { LivePricing } from '../carts/live-pricing.ts'
import { toStoredCartPricing } from '../carts/stored-cart-pricing.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { type CheckoutCredit, type CreditConflict, findCreditConflict } from './checkout-credit.ts'

const LEASE_MS = 8_000

/**
 * Stores an order and binds its cart to it before it is sent. With a `credit` to reserve, the order takes its total from it. `null`: another
 * process changed or ordered the cart meanwhile.
 */
export async function storePendingOrder(
  context: CustomerCommandContext,
  { cart_id, version, pricing: before }: CartRecord,
  draft: OrderDraft,
  { live, credit }: { live: LivePricing; credit: CheckoutCredit | null },
): Promise<OrderRecord | CreditConflict | null> {
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
  const { total } = draft.totals
  const result = await transact(db, async (transaction) => {
    const conflict = credit && (await findCreditConflict(transaction, context, credit, total))
    if (conflict) return conflict
    if (!(await storeCartPricing(transaction, cart_id, version, pricing))) return null
    if (!(await bindCartToOrder(transaction, cart_id, version, record.order_id))) return null
    await insertOrder(transaction, record, credit?.reading ? total : null)
    return record
  })
  // An order that accounting has and this store has lost would be placed a second time.
  if (result === record) await syncWal(db)
  return result
}
