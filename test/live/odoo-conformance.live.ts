import { Type } from 'typebox'
import type { Rpc } from '../../adapters/odoo/client/rpc.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { operationsWithout } from '../adapters/conformance/operations.ts'
import type { Facts } from '../adapters/conformance/subject.ts'
import { describeConformance } from '../adapters/conformance/suite.ts'
import { createCall } from '../support/create-call.ts'
import { createConformanceClerk, createFieldProbe, createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { isOdoo16, odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Found = responseSchema(Type.Array(Type.Integer()))
/** A document as Odoo stores it when staff send the invoice. */
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')

/** They share the read of the customer, which takes several calls there. */
const SHARED_ON_ODOO_16 = [
  'pricing.prices',
  'pricing.quote',
  'accounting.taxes',
  'accounting.deliveryOptions',
  'accounting.placeOrder',
] as const

/** Runs against an Odoo that has the records named here: `ODOO_ADDRESS=… npm run test:live:odoo`. It changes data. */
describeConformance('odoo', {
  offers: operationsWithout(
    'inventory.vehicleFacet',
    'inventory.vehicleItems',
    'inventory.fitments',
    'pricing.promotions',
    'fitment.vehicleFacet',
    'fitment.vehicle',
    'fitment.fitments',
  ),
  timeoutMs: 1_800_000,
  unexamined: ['prepaid'],
  shares: [
    'pricing.priceChanges',
    'accounting.orderChanges',
    'accounting.invoiceChanges',
    'inventory.stockChanges',
    ...(isOdoo16() ? SHARED_ON_ODOO_16 : []),
  ],
  async connect() {
    const { storefront, clerk: login } = odooAccess()
    const desk = connectOdooClerk(login)
    const find = createFinder(desk.rpc)
    const customer = async (email: string) => String(await find('res.partner', [['email', '=', email]]))
    const garage = await customer('Orders@hwtgarage.example')
    const other = await customer('buyer@other.example')
    const order = async (reference: string) => find('sale.order', [['origin', '=', `ECOMMERCE ${reference}`]])
    const invoice = async (reference: string) =>
      String(await find('account.move', [['invoice_line_ids.sale_line_ids.order_id', '=', await order(reference)]]))
    const categoryId = String(await find('product.public.category', [['name', '=', 'Oil Filters']]))
    const paidInvoiceId = await invoice('ord_demo0paid')
    for (const [code, date_to] of [
      [PROMOTIONS.applying, false],
      [PROMOTIONS.refused, '2026-01-01'],
    ] as const)
      await promote(desk.rpc, code, date_to)
    await deliver(desk.rpc)
    await storeDocument(desk.rpc, Number(paidInvoiceId))
    return {
      facts: {
        ...facts,
        category: { category_id: categoryId, slug: 'oil-filters', sku: 'OFL-001' },
        contract: { customerId: garage, sku: 'OFL-001', otherId: other },
        breaks: { customerId: garage, sku: 'OFL-001' },
        exemptCustomerId: await customer('office@church.example'),
        customer: { customerId: garage, email: 'Orders@hwtgarage.example', otherId: other },
        cashCustomerId: await customer('carla@cash.example'),
        onHoldCustomerId: await customer('harry@hold.example'),
        past: {
          shippedOrderId: String(await order('ord_demo0late')),
          overdueInvoiceId: await invoice('ord_demo0late'),
          paidInvoiceId,
        },
        creditNoteId: await credit(desk.rpc, Number(garage)),
        documentInvoiceId: paidInvoiceId,
        otherChannel: {
          customerId: other,
          orderId: String(
            await find('sale.order', [
              ['partner_id', '=', Number(other)],
              ['origin', '=', false],
            ]),
          ),
        },
      },
      clerk: createConformanceClerk(desk.rpc),
      connect(way) {
        const { close, ...ports } = connectOdooPorts(
          { ...storefront, address: way(storefront.address) },
          undefined,
          undefined,
          {
            branches: true,
          },
        )
        return { ...ports, [Symbol.asyncDispose]: close }
      },
      close: () => desk.close(),
    }
  },
})

const PROMOTIONS = { applying: 'SUITE10', refused: 'SUITEOVER', reason: 'EXPIRED' }

/** Creates a program with a code for 10 % off, unless there is one. */
async function promote(rpc: Rpc, code: string, date_to: string | false) {
  const known = { domain: [['rule_ids.code', '=', code]] }
  if ((await rpc.call(Found, 'loyalty.program/search', known, createCall())).length > 0) return
  const rule_ids = [[5], [0, 0, { mode: 'with_code', code, minimum_qty: 0 }]]
  const reward = { reward_type: 'discount', discount_mode: 'percent', discount: 10, discount_applicability: 'order' }
  const program = { name: code, program_type: 'promo_code', trigger: 'with_code', applies_on: 'current', date_to }
  const vals_list = [{ ...program, rule_ids, reward_ids: [[5], [0, 0, reward]] }]
  await rpc.call(Anything, 'loyalty.program/create', { vals_list }, createCall())
}

const Names = responseSchema(Type.Array(Type.Object({ name: Type.String() })))

/** Stores the document of an invoice. Odoo 16 attaches it under the number of the invoice. */
async function storeDocument(rpc: Rpc, id: number) {
  if (await createFieldProbe(rpc)('account.move', 'invoice_pdf_report_file')) {
    const vals = { invoice_pdf_report_file: PDF }
    await rpc.call(Anything, 'account.move/write', { ids: [id], vals }, createCall())
    return
  }
  const [move] = await rpc.call(Names, 'account.move/read', { ids: [id], fields: ['name'] }, createCall())
  const name = `${move!.name.replaceAll('/', '_')}.pdf`
  const vals_list = [{ name, res_model: 'account.move', res_id: id, datas: PDF }]
  await rpc.call(Anything, 'ir.attachment/create', { vals_list }, createCall())
}

/** Returns a credit note of a customer, after creating it if there is none. */
async function credit(rpc: Rpc, partner_id: number): Promise<string> {
  const ref = 'SUITE CREDIT'
  const [known] = await rpc.call(Found, 'account.move/search', { domain: [['ref', '=', ref]] }, createCall())
  if (known !== undefined) return String(known)
  const product_id = await createFinder(rpc)('product.product', [['default_code', '=', 'PAD-001']])
  const invoice_line_ids = [[0, 0, { product_id, quantity: 1, price_unit: 100 }]]
  const vals_list = [{ move_type: 'out_refund', partner_id, ref, invoice_date: '2026-01-05', invoice_line_ids }]
  const ids = await rpc.call(Found, 'account.move/create', { vals_list }, createCall())
  await rpc.call(Anything, 'account.move/action_post', { ids }, createCall())
  return String(ids[0])
}

/** Creates a delivery method with a price, unless there is one. */
async function deliver(rpc: Rpc) {
  const name = 'Van'
  const known = { domain: [['name', '=', name]] }
  if ((await rpc.call(Found, 'delivery.carrier/search', known, createCall())).length > 0) return
  const product = { name, type: 'service', sale_ok: false, list_price: 777.77 }
  const [product_id] = await rpc.call(Found, 'product.product/create', { vals_list: [product] }, createCall())
  const carrier = {
    name,
    product_id,
    delivery_type: 'fixed',
    carrier_description: 'Within two days',
    is_published: true,
  }
  await rpc.call(Anything, 'delivery.carrier/create', { vals_list: [carrier] }, createCall())
}

const facts: Facts = {
  deliveryAddress: {
    line1: '9 Dock Road',
    line2: null,
    city: 'Montego Bay',
    region: null,
    postal_code: null,
    country: 'JM',
  },
  promotions: PROMOTIONS,
  skus: ['PAD-001', 'OFL-001', 'OIL-002', 'DUP-002'],
  unknownSku: 'zxqj-no-such-sku',
  unknownCustomerId: '99999',
  deactivatedSku: 'OLD-001',
  unpricedSku: 'ZERO-001',
  awkwardSkus: ['50%_X\\Y/#1'],
  duplicateSkus: [
    { sku: 'DUP-001', name: 'Doubled: the older record', amount: '333.00' },
    { sku: 'DUP-002', name: 'Replaced: the record in use', amount: '444.00' },
  ],
  search: { q: 'Polish Glänzend', sku: '50%_X\\Y/#1' },
  tag: { tag: 'bestseller', sku: 'PAD-001' },
  expectedSku: 'PAD-003',
  variants: ['GLV-M', 'GLV-L'],
  branchSku: 'PAD-001',
  untrackedSku: 'SRV-001',
  backorderPolicy: { soldSku: 'PAD-001', keptSku: 'OFL-001' },
  pictureSku: 'PAD-001',
  tax: { sku: 'OFL-001', rate: '0.15' },
  goods: { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' },
  otherGoods: { sku: 'OIL-002', uom: 'Units', unitPrice: '8010.00' },
  ledgerHasPrices: true,
}
