import { Type } from 'typebox'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { operationsWithout } from '../adapters/conformance/operations.ts'
import type { Facts, Ports } from '../adapters/conformance/subject.ts'
import { describeConformance } from '../adapters/conformance/suite.ts'
import { createCall } from '../support/create-call.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { createConformanceClerk, createInactiveCustomer } from './support/tryton-conformance-clerk.ts'
import { trytonAccess } from './support/tryton-environment.ts'

/** Runs against the server of test/support/tryton/tryton.sh: `npm run test:live`. It reverts its changes. */
const Ids = responseSchema(Type.Array(Type.Integer()))

describeConformance('tryton', {
  offers: operationsWithout(
    'pricing.promotions',
    'inventory.vehicleFacet',
    'inventory.vehicleItems',
    'inventory.fitments',
    'fitment.vehicleFacet',
    'fitment.vehicle',
    'fitment.fitments',
  ),
  timeoutMs: 1_800_000,
  unexamined: [
    'unpricedSku',
    'prepaid',
    'creditNoteId',
    'otherGoods',
    'untrackedSku',
    'branchSku',
    'variants',
    'backorderPolicy',
    'clerk.read',
    'clerk.shipPart',
  ],
  shares: ['pricing.priceChanges', 'accounting.orderChanges', 'accounting.invoiceChanges'],
  async connect() {
    const { storefront, clerk: login } = trytonAccess()
    const desk = connectClerk(login)
    const open = connectTrytonPorts(storefront)
    const categories = await open.inventory.categories(createCall())
    const { category_id } = categories.find(({ slug }) => slug === 'oil-filters')!
    const past = await pastOf(open.accounting)
    const [atTheCounter] = await desk.rpc(Ids, 'sale.sale.search', [[['web_id', '=', null]], 0, 1, null], createCall())
    return {
      facts: {
        ...facts,
        category: { category_id, slug: 'oil-filters', sku: 'OFL-001' },
        past,
        documentInvoiceId: past.paidInvoiceId,
        otherChannel: { customerId: '6', orderId: String(atTheCounter) },
        onHoldCustomerId: await createInactiveCustomer(desk.rpc),
      },
      clerk: createConformanceClerk(desk.rpc),
      connect(way) {
        const { close, ...ports } = connectTrytonPorts({ ...storefront, address: way(storefront.address) })
        return { ...ports, [Symbol.asyncDispose]: close }
      },
      async close() {
        await Promise.all([open.close(), desk.close()])
      },
    }
  },
})

/** The order of the garage in test/support/tryton/seed-trade.py. */
async function pastOf(accounting: Required<Ports>['accounting']): Promise<NonNullable<Facts['past']>> {
  const idOf = async (reference: string) => (await accounting.order!('3', { reference }, createCall()))!.order_id
  const billOf = async (order_id: string) => {
    const query = { limit: 1, offset: 0, order_id, today: '2000-01-01' }
    return (await accounting.invoices!('3', query, createCall())).invoices[0]!.invoice_id
  }
  const [paid, late] = [await idOf('ord_demo0paid'), await idOf('ord_demo0late')]
  return { shippedOrderId: late, overdueInvoiceId: await billOf(late), paidInvoiceId: await billOf(paid) }
}

const facts: Facts = {
  ledgerHasPrices: true,
  skus: ['PAD-001', 'OFL-001', 'OIL-002', 'DUP-002'],
  unknownSku: 'zxqj-no-such-sku',
  unknownCustomerId: '99999',
  deactivatedSku: 'OLD-001',
  awkwardSkus: ['50%_X\\Y/#1'],
  duplicateSkus: [
    { sku: 'DUP-001', name: 'Doubled: the older record' },
    { sku: 'DUP-002', name: 'Replaced: the record in use', amount: '444.00' },
  ],
  search: { q: 'Polish Glänzend', sku: '50%_X\\Y/#1' },
  tag: { tag: 'bestseller', sku: 'PAD-001' },
  expectedSku: 'PAD-003',
  contract: { customerId: '3', sku: 'OFL-001', otherId: '6' },
  breaks: { customerId: '3', sku: 'OFL-001' },
  tax: { sku: 'OFL-001', rate: '0.15' },
  exemptCustomerId: '5',
  customer: { customerId: '3', email: 'Orders@hwtgarage.example', otherId: '6' },
  cashCustomerId: '4',
  goods: { sku: 'PAD-001', uom: 'u', unitPrice: '5700.00' },
  pictureSku: 'PAD-001',
  deliveryAddress: {
    line1: '4 Hope Road',
    line2: null,
    city: 'Kingston',
    region: null,
    postal_code: null,
    country: 'JM',
  },
  promotions: { applying: 'TRADE3', refused: 'OVER', reason: 'EXPIRED' },
}
