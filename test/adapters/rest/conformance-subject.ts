import { knownSkus } from '../../../fixtures/known-skus.ts'
import { pastOrders, prepaidOrders } from '../../../fixtures/orders.ts'
import { promotionCodes } from '../../../fixtures/promotions.ts'
import {
  issueInvoice,
  listLedgerOrders,
  settleInvoice,
  shipOrder,
} from '../../../src/sandbox/control/accounting-control-client.ts'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import type { RunningSystem } from '../../../src/sandbox/start-system.ts'
import { createTempFolder } from '../../sandbox/temp-folder.ts'
import { startTestSystem } from '../../sandbox/test-system.ts'
import { operationsWithout } from '../conformance/operations.ts'
import type { Clerk, Facts, Subject } from '../conformance/subject.ts'
import type { ConformanceOptions } from '../conformance/suite.ts'
import { connectDisposable } from './ports.ts'

const facts: Facts = {
  skus: ['OL-1001', 'BP-1001', 'BP-1004'],
  unknownSku: 'no/such sku',
  unknownCustomerId: 'C-1',
  deactivatedSku: knownSkus.deactivated,
  awkwardSkus: [...knownSkus.awkward],
  search: { q: 'brake pad', sku: 'BP-1001' },
  category: { category_id: '101010', slug: 'brake-pads', sku: 'BP-1001' },
  tag: { tag: 'bulk', sku: 'OL-1001' },
  pictureSku: knownSkus.originals,
  vehicle: { vehicle_id: 1431, sku: 'BP-1001' },
  unknownVehicleId: 7,
  expectedSku: knownSkus.leadTime,
  branchSku: knownSkus.twoBranches,
  variants: [...knownSkus.variants],
  untrackedSku: 'BP-1026',
  backorderPolicy: { soldSku: 'BP-1027', keptSku: 'BP-1028' },
  unpricedSku: knownSkus.unpriced,
  contract: { customerId: 'C-1003', sku: 'OL-1001', otherId: 'C-1001' },
  breaks: { customerId: 'C-1001', sku: 'OL-1001' },
  tax: { sku: 'BP-1001', rate: '0.15' },
  exemptCustomerId: 'C-1005',
  customer: { customerId: 'C-1001', email: 'parts@mobay-garage.example', otherId: 'C-1003' },
  cashCustomerId: 'C-1009',
  onHoldCustomerId: 'C-1004',
  goods: { sku: 'OL-1001', uom: 'litre', unitPrice: '1038.40' },
  otherGoods: { sku: 'BP-1001', uom: 'set', unitPrice: '4200.00' },
  deliveryAddress: {
    line1: '12 Harbour Street',
    line2: null,
    city: 'Montego Bay',
    region: 'St. James',
    postal_code: null,
    country: 'JM',
  },
  past: {
    shippedOrderId: pastOrders.shipped.order_id,
    overdueInvoiceId: pastOrders.overdue.invoices[0]!.invoice_id,
    paidInvoiceId: pastOrders.paid.invoices[0]!.invoice_id,
  },
  creditNoteId: pastOrders.paid.invoices[1]!.invoice_id,
  documentInvoiceId: pastOrders.paid.invoices[0]!.invoice_id,
  otherChannel: { customerId: 'C-1001', orderId: pastOrders.atTheCounter.order_id },
  prepaid: { orderId: prepaidOrders.PROCESSING.order_id, status: 'PROCESSING' },
  promotions: { applying: promotionCodes.share, refused: promotionCodes.expired, reason: 'EXPIRED' },
}

/** The `rest` adapter over the embedded back office, which has one record per SKU. */
export const restConformance: ConformanceOptions = {
  offers: operationsWithout('pricing.promotions'),
  unexamined: ['duplicateSkus', 'ledgerHasPrices'],
  connect: embedded,
}

async function embedded(): Promise<Subject> {
  const folder = await createTempFolder()
  const systems: RunningSystem[] = []
  for (const system of ['inventory', 'pricing', 'accounting'] as const)
    systems.push(await startTestSystem({ system, directory: folder.directory }))
  await setStockPolicies(systems[0]!.controlAddress)
  const [inventory = '', pricing = '', accounting = ''] = systems.map(({ address }) => `${address}/demo`)
  return {
    facts,
    clerk: atWork(systems),
    connect: (way) => connectDisposable(way(inventory), way(pricing), way(accounting)),
    async close() {
      await Promise.all(systems.map((system) => system.stop()))
      await folder.remove()
    },
  }
}

async function setStockPolicies(control: string): Promise<void> {
  await setStock(control, 'demo', 'BP-1026', { available: 0, expected: [], untracked: true })
  await setStock(control, 'demo', 'BP-1027', { available: 0, expected: [], sell_when_out: true })
  await setStock(control, 'demo', 'BP-1028', { available: 0, expected: [], sell_when_out: false })
}

function atWork(systems: RunningSystem[]): Clerk {
  const [goods = '', prices = '', ledger = ''] = systems.map(({ controlAddress }) => controlAddress)
  const { partlyPaid, partlyShipped } = pastOrders
  const sku = 'OL-1001'
  return {
    product: () => updateProduct(goods, 'demo', sku, { description: 'Now in a new can.' }).then(() => sku),
    stock: () => setStock(goods, 'demo', sku, { available: 2 }).then(() => sku),
    price: () => setPrice(prices, 'demo', sku, '1200.00').then(() => sku),
    order: () => shipOrder(ledger, 'demo', partlyShipped.order_id).then(({ order_id }) => order_id),
    invoice: () =>
      settleInvoice(ledger, 'demo', partlyPaid.invoices[0]!.invoice_id, '1.00').then(({ invoice_id }) => invoice_id),
    ship: (orderId) => shipOrder(ledger, 'demo', orderId),
    shipPart: (orderId, sku, quantity) => shipOrder(ledger, 'demo', orderId, { lines: [{ sku, quantity }] }),
    async read(orderId) {
      const stored = (await listLedgerOrders(ledger, 'demo')).find(({ order_id }) => order_id === orderId)!
      const { po_number, requested_date, shipping_address, lines } = stored
      return {
        po_number,
        requested_date,
        city: shipping_address?.city ?? null,
        lines: lines.map(({ sku, quantity, unit_price }) => ({ sku, quantity, unit_price })),
      }
    },
    bill: (orderId) => issueInvoice(ledger, 'demo', orderId),
  }
}
