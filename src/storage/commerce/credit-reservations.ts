import type { Selectable } from 'kysely'
import { tenantKey } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { acquireAdvisoryLock } from '../postgres/acquire-advisory-lock.ts'
import type { Tables } from '../tables.ts'
import type { CustomerKey } from './customer-key.ts'

/** An order that holds a reservation of its customer's credit. */
export interface CreditReservationRow
  extends Pick<Selectable<Tables['orders']>, 'order_id' | 'status' | 'updated_at' | 'told'> {
  reserved_credit: string
}

/** Serializes the decisions about a customer's credit until the transaction ends. SQLite runs one writing transaction at a time anyway. */
export const lockCustomerCredit = (transaction: Database, customer: CustomerKey): Promise<void> =>
  acquireAdvisoryLock(transaction, `credit ${tenantKey(customer)} ${customer.customer_id}`)

/** Returns the orders of a customer that accounting may place, or has placed. Rejected and cancelled ones take no credit. */
export function listCreditReservations(db: Database, customer: CustomerKey): Promise<CreditReservationRow[]> {
  return db
    .selectFrom('orders')
    .select(['order_id', 'status', 'updated_at', 'told', 'reserved_credit'])
    .where('tenant_id', '=', customer.merchant)
    .where('mode', '=', customer.mode)
    .where('customer_id', '=', customer.customer_id)
    .where('reserved_credit', 'is not', null)
    .where('status', 'in', ['PENDING', 'CONFIRMED'])
    .$narrowType<{ reserved_credit: string }>()
    .execute()
}

/** Ends the reservations of a customer's orders that were resolved before that time. */
export async function clearCreditReservations(db: Database, customer: CustomerKey, before: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ reserved_credit: null })
    .where('tenant_id', '=', customer.merchant)
    .where('mode', '=', customer.mode)
    .where('customer_id', '=', customer.customer_id)
    .where('reserved_credit', 'is not', null)
    .where('status', '!=', 'PENDING')
    .where('updated_at', '<', before)
    .execute()
}
