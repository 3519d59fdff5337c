import { pastOrders } from '../../fixtures/orders.ts'
import { promotionCodes } from '../../fixtures/promotions.ts'
import { showcase } from '../../fixtures/showcase.ts'
import { setPrice, setStock, settleInvoice, shipOrder } from '../../src/sandbox/control.ts'
import type { RunningSystem } from '../../src/sandbox/system.ts'
import { scratch, start } from '../sandbox/running.ts'
import { conformance } from './conformance.ts'
import { disconnect, ports } from './rest-ports.ts'
import type { Facts } from './subject.ts'

const facts: Facts = {
  skus: ['OL-1001', 'BP-1001', 'BP-1004'],
  unknownSku: 'no/such sku',
  deactivatedSku: showcase.deactivated,
  awkwardSkus: [...showcase.awkward],
  search: { q: 'brake pad', sku: 'BP-1001' },
  category: { category_id: '101010', slug: 'brake-pads', sku: 'BP-1001' },
  tag: { tag: 'bulk', sku: 'OL-1001' },
  vehicle: { vehicle_id: 1431, sku: 'BP-1001' },
  unknownVehicleId: 7,
  expectedSku: showcase.leadTime,
  unpricedSku: showcase.unpriced,
  contract: { customerId: 'C-1003', sku: 'OL-1001' },
  unknownCustomerId: 'C-1',
  tax: { sku: 'BP-1001', rate: '0.15', exemptCustomerId: 'C-1005' },
  customer: { customerId: 'C-1001', email: 'parts@mobay-garage.example', otherId: 'C-1003' },
  cashCustomerId: 'C-1009',
  goods: { sku: 'OL-1001', uom: 'litre', unitPrice: '1038.40' },
  past: {
    shippedOrderId: pastOrders.shipped.order_id,
    overdueInvoiceId: pastOrders.overdue.invoices[0]!.invoice_id,
    paidInvoiceId: pastOrders.paid.invoices[0]!.invoice_id,
  },
  promotions: { applying: promotionCodes.share, refused: promotionCodes.expired, reason: 'EXPIRED' },
}

conformance('rest', async () => {
  const folder = await scratch()
  const { directory } = folder
  const systems: RunningSystem[] = []
  for (const system of ['inventory', 'pricing', 'accounting'] as const) systems.push(await start({ system, directory }))
  const silent = await start({ system: 'inventory', directory: `${directory}/silent` })
  const gone = await start({ system: 'pricing', directory: `${directory}/gone` })
  await silent.setFault({ hang: true })
  await gone.setFault({ refuse: true })
  const [inventory = '', pricing = '', accounting = ''] = systems.map(({ address }) => `${address}/demo`)
  const [goods = '', prices = '', ledger = ''] = systems.map(({ controlAddress }) => controlAddress)
  const { partlyPaid, partlyShipped } = pastOrders
  return {
    ...ports(inventory, pricing, accounting),
    facts,
    clerk: {
      stock: () => setStock(goods, 'demo', 'OL-1001', { available: 2 }).then(() => 'OL-1001'),
      price: () => setPrice(prices, 'demo', 'OL-1001', '1200.00').then(() => 'OL-1001'),
      order: () => shipOrder(ledger, 'demo', partlyShipped.order_id).then(({ order_id }) => order_id),
      invoice: () =>
        settleInvoice(ledger, 'demo', partlyPaid.invoices[0]!.invoice_id, '1.00').then(({ invoice_id }) => invoice_id),
    },
    silent: ports(`${silent.address}/demo`),
    unreachable: ports(`${gone.address}/demo`),
    async close() {
      await Promise.all([...systems, silent, gone].map((system) => system.stop()))
      await disconnect()
      await folder.remove()
    },
  }
})
