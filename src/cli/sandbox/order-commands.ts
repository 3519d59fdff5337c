import { cancelOrder, deliverOrder, rejectOrder, shipOrder } from '../../sandbox/control/accounting-control-client.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { type ControlTarget, type ControlTargetOptions, withControlTarget } from './control-target.ts'
import { findLedgerOrder, type LedgerOrder, listNewestLedgerOrders } from './ledger-orders.ts'

const LISTED_ORDERS = 20

/** Lists the newest orders of the embedded ledger. */
export async function runSandboxOrders(options: ControlTargetOptions & { json?: boolean }): Promise<void> {
  const orders = (await withControlTarget('accounting', options, listNewestLedgerOrders)).slice(0, LISTED_ORDERS)
  const rows = orders.map(({ order_id, reference, customer_id, status, totals, currency }) => ({
    order_id,
    reference,
    customer_id,
    status,
    total: { amount: totals.total, currency },
  }))
  if (options.json) return printJson(rows)
  printTable(
    ['ORDER', 'REFERENCE', 'CUSTOMER', 'STATUS', 'TOTAL'],
    rows.map((row) => [
      row.order_id,
      row.reference ?? '-',
      row.customer_id,
      row.status,
      `${row.total.amount} ${row.total.currency}`,
    ]),
  )
}

export interface SandboxShipOptions extends ControlTargetOptions {
  sku?: string
  quantity?: string
}

/** Ships all open lines of an order, or only some quantity of one SKU. */
export async function runSandboxShip(name: string, options: SandboxShipOptions): Promise<void> {
  const { sku, quantity } = options
  if (quantity !== undefined && sku === undefined) throw new UsageError('--quantity needs a SKU: add --sku <sku>')
  if (quantity !== undefined && !(/^\d{1,15}(\.\d{1,10})?$/.test(quantity) && Number(quantity) > 0))
    throw new UsageError(`--quantity takes a number above 0, not "${quantity}"`)
  const lines = sku === undefined ? [] : [{ sku, ...(quantity !== undefined && { quantity }) }]
  await changeOrder(name, options, async ({ controlUrl, account }, order_id) => {
    const order = await shipOrder(controlUrl, account, order_id, lines.length === 0 ? {} : { lines })
    const shipment = order.shipments.at(-1)!
    const contents = shipment.lines.map((line) => `${line.quantity} x ${line.sku}`).join(', ')
    return { order, details: `: shipment ${shipment.shipment_id} (${contents})` }
  })
}

export const runSandboxDeliver = (name: string, options: ControlTargetOptions) =>
  changeOrder(name, options, async ({ controlUrl, account }, id) => ({
    order: await deliverOrder(controlUrl, account, id),
  }))

export const runSandboxCancel = (name: string, options: ControlTargetOptions) =>
  changeOrder(name, options, async ({ controlUrl, account }, id) => ({
    order: await cancelOrder(controlUrl, account, id),
  }))

export const runSandboxReject = (name: string, options: ControlTargetOptions) =>
  changeOrder(name, options, async ({ controlUrl, account }, id) => ({
    order: await rejectOrder(controlUrl, account, id),
  }))

/** Finds an order, changes it, and prints its new status and the event that follows. */
async function changeOrder(
  name: string,
  options: ControlTargetOptions,
  change: (target: ControlTarget, orderId: string) => Promise<{ order: LedgerOrder; details?: string }>,
): Promise<void> {
  const { order, details = '' } = await withControlTarget('accounting', options, async (target) =>
    change(target, (await findLedgerOrder(name, target)).order_id),
  )
  const { order_id, reference, status, channel } = order
  const event =
    channel === 'ECOMMERCE' ? `Event: order.${status.toLowerCase()}` : 'No event: it is not an order of the storefront'
  print(`${order_id}${reference ? ` (${reference})` : ''} is ${status}${details}. ${event}`)
}
