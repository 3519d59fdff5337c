import { knownSkus } from '../../../fixtures/known-skus.ts'
import { eventKinds } from '../../../src/contract/events/event-types.ts'
import * as ledger from '../../../src/sandbox/control/accounting-control-client.ts'
import { setStock, withdrawProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { sendHttpRequest } from '../send-http-request.ts'
import { until } from '../until.ts'
import type { RunningDemo } from './running-demo.ts'

const ACCOUNT = 'demo'
/** It takes days until an invoice is overdue. */
const NEVER_CAUSED = new Set<string>(['invoice.overdue'])

type Event = Record<string, unknown> & { type: string; sequence: number; data: object }

/** Causes events of every type in the sandbox, and returns one of each. `orderId`: an order in progress. */
export async function causeEvents(demo: RunningDemo, orderId: string): Promise<Map<string, Event>> {
  await changeCatalog(demo)
  const control = demo.controlUrlOf('accounting')
  const orders = await ledger.listLedgerOrders(control, ACCOUNT)
  const id = orders.find(({ order_id, reference }) => [order_id, reference].includes(orderId))!.order_id
  await ledger.shipOrder(control, ACCOUNT, id, { lines: [{ sku: 'BP-1001', quantity: '1' }] })
  await untilListed(demo, ['order.partially_shipped'])
  await ledger.shipOrder(control, ACCOUNT, id)
  await ledger.deliverOrder(control, ACCOUNT, id)
  await ledger.setOrderStatus(control, ACCOUNT, 'SO-100106', 'REJECTED')
  const invoice = await ledger.issueInvoice(control, ACCOUNT, id)
  await untilListed(demo, ['invoice.issued'])
  await ledger.settleInvoice(control, ACCOUNT, invoice.invoice_id)
  await voidOne(control)
  return untilListed(
    demo,
    eventKinds.filter((kind) => !NEVER_CAUSED.has(kind)),
  )
}

/** Returns the event that follows when nobody pays. */
export const toOverdue = (issued: Event): Event => ({
  ...issued,
  type: 'invoice.overdue',
  sequence: issued.sequence + 1,
  data: { ...issued.data, status: 'OVERDUE', days_overdue: 1 },
})

async function changeCatalog(demo: RunningDemo): Promise<void> {
  await setStock(demo.controlUrlOf('inventory'), ACCOUNT, 'BP-1001', { available: 3 })
  await setStock(demo.controlUrlOf('inventory'), ACCOUNT, knownSkus.out, { available: 30 })
  await setPrice(demo.controlUrlOf('pricing'), ACCOUNT, 'BP-1012', '4990.00')
  await withdrawProduct(demo.controlUrlOf('inventory'), ACCOUNT, 'BP-1008')
}

async function voidOne(control: string): Promise<void> {
  const invoices = await ledger.listLedgerInvoices(control, ACCOUNT)
  const unpaid = invoices.find(({ status, payments }) => status === 'OPEN' && payments.length === 0)!
  await ledger.voidInvoice(control, ACCOUNT, unpaid.invoice_id)
}

/** Waits until the API lists an event of each type. */
async function untilListed(demo: RunningDemo, types: readonly string[]): Promise<Map<string, Event>> {
  const headers = { authorization: `Bearer ${demo.secretKey}` }
  const events = new Map<string, Event>()
  await until(`events of the types ${types.join(', ')} are listed`, async () => {
    const { body } = await sendHttpRequest(demo.address, '/v1/events?limit=200', { headers })
    for (const event of (body.data ?? []) as Event[]) events.set(event.type, event)
    return types.every((type) => events.has(type))
  })
  return events
}
