import { forecourtCommand } from '../../installed-command-line.ts'
import { listLedgerOrders } from '../../sandbox/control/accounting-control-client.ts'
import { UsageError } from '../usage-error.ts'
import type { ControlTarget } from './control-target.ts'

/** An order as the ledger of the sandbox has it. */
export type LedgerOrder = Awaited<ReturnType<typeof listLedgerOrders>>[number]

/** Finds an order by the ledger's id, by the id that checkout returned, or the newest one by `last`. */
export async function findLedgerOrder(name: string, target: ControlTarget): Promise<LedgerOrder> {
  const orders = await listNewestLedgerOrders(target)
  const order =
    name === 'last' ? orders[0] : orders.find(({ order_id, reference }) => order_id === name || reference === name)
  if (order) return order
  throw new UsageError(
    `There is no order "${name}" in the sandbox of ${target.account}. See: ${forecourtCommand} sandbox orders${target.hintOptions}`,
  )
}

/** Lists the orders of the ledger, the newest first. */
export async function listNewestLedgerOrders({ controlUrl, account }: ControlTarget): Promise<LedgerOrder[]> {
  const orders = await listLedgerOrders(controlUrl, account)
  return orders.sort((a, b) => b.placed_at.localeCompare(a.placed_at) || b.order_id.localeCompare(a.order_id))
}
