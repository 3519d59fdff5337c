import type { ForecourtProcess } from './forecourt-process.ts'
import { waitUntil } from './wait-until.ts'

/** Waits until every pending order is final, however long it takes. */
export async function waitForFinalOrders({ db }: ForecourtProcess): Promise<void> {
  const pending = db.selectFrom('orders').select('order_id').where('status', '=', 'PENDING').limit(1)
  await waitUntil('every order has its answer', async () => (await pending.execute()).length === 0)
}
