import {
  cancelOrder,
  deliverOrder,
  listLedgerOrders,
  rejectOrder,
  shipOrder,
} from '../../sandbox/control/control-client.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { type ControlTarget, type ControlTargetOptions, withControlTarget } from './control-target.ts'

const LISTED = 20

/** The newest orders of the embedded ledger. */
export async function runSandboxOrders(options: ControlTargetOptions & { json?: boolean }): Promise<void> {
  const orders = (await withControlTarget('accounting', options, newestFirst)).slice(0, LISTED)
  const rows = orders.map(({ order_id, reference, customer_id, status, totals, currency }) => ({
    ...{ order_id, reference, customer_id, status, total: { amount: totals.total, currency } },
  }))
  if (options.json) return printJson(rows)
  printTable(
    ['ORDER', 'REFERENCE', 'CUSTOMER', 'STATUS', 'TOTAL'],
    rows.map((row) => [
      ...[row.order_id, row.reference ?? '-', row.customer_id, row.status],
      `${row.total.amount} ${row.total.currency}`,
    ]),
  )
}

export interface SandboxShipOptions extends ControlTargetOptions {
  sku?: string
  quantity?: string
}

/** Sends a parcel: of all that is open, of all that is open of a SKU, or of so many of it. */
export async function runSandboxShip(name: string, options: SandboxShipOptions): Promise<void> {
  const { sku, quantity } = options
  if (quantity !== undefined && sku === undefined)
    throw new UsageError('--quantity is of one SKU: name it with --sku <sku>')
  if (quantity !== undefined && !(/^\d{1,15}(\.\d{1,10})?$/.test(quantity) && Number(quantity) > 0))
    throw new UsageError(`--quantity takes a number above 0, not "${quantity}"`)
  const lines = sku === undefined ? [] : [{ sku, ...(quantity !== undefined && { quantity }) }]
  await changed(name, options, async ({ control, account }, order_id) => {
    const order = await shipOrder(control, account, order_id, lines.length === 0 ? {} : { lines })
    const parcel = order.shipments.at(-1)!
    const goods = parcel.lines.map((line) => `${line.quantity} x ${line.sku}`).join(', ')
    return [order, `, parcel ${parcel.shipment_id} (${goods}) has left`]
  })
}

export const runSandboxDeliver = (name: string, options: ControlTargetOptions) =>
  changed(name, options, async ({ control, account }, id) => [await deliverOrder(control, account, id), ''])

export const runSandboxCancel = (name: string, options: ControlTargetOptions) =>
  changed(name, options, async ({ control, account }, id) => [await cancelOrder(control, account, id), ''])

export const runSandboxReject = (name: string, options: ControlTargetOptions) =>
  changed(name, options, async ({ control, account }, id) => [await rejectOrder(control, account, id), ''])

type LedgerOrder = Awaited<ReturnType<typeof listLedgerOrders>>[number]

/** Finds the order, changes it, and says in what state it is and which event follows. */
async function changed(
  name: string,
  options: ControlTargetOptions,
  change: (target: ControlTarget, orderId: string) => Promise<[order: LedgerOrder, more: string]>,
): Promise<void> {
  const [order, more] = await withControlTarget('accounting', options, async (target) =>
    change(target, (await findLedgerOrder(name, target)).order_id),
  )
  const { order_id, reference, status, channel } = order
  const event = channel === 'ECOMMERCE' ? `Event: order.${status.toLowerCase()}` : 'No event: it is of the counter'
  print(`${order_id}${reference ? ` (${reference})` : ''} is ${status}${more}. ${event}`)
}

/** By the ledger's own id, by the id that Forecourt gave at checkout, or the newest. */
export async function findLedgerOrder(name: string, target: ControlTarget): Promise<LedgerOrder> {
  const orders = await newestFirst(target)
  const found =
    name === 'last' ? orders[0] : orders.find(({ order_id, reference }) => order_id === name || reference === name)
  if (found) return found
  throw new UsageError(
    `There is no order "${name}" in the sandbox of ${target.account}. See: npx forecourt sandbox orders${target.options}`,
  )
}

async function newestFirst({ control, account }: ControlTarget): Promise<LedgerOrder[]> {
  const orders = await listLedgerOrders(control, account)
  return orders.sort((a, b) => b.placed_at.localeCompare(a.placed_at) || b.order_id.localeCompare(a.order_id))
}
