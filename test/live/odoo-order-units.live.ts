import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Type } from 'typebox'
import { foundShape } from '../../adapters/odoo/client/rpc.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { createCall } from '../adapters/conformance/subject.ts'
import { createConformanceClerk, createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Sales = foundShape(
  Type.Object({
    amount_total: Type.Number(),
    order_line: Type.Array(
      Type.Object({
        product_uom_id: Type.Object({ name: Type.String() }),
        product_uom_qty: Type.Number(),
        price_unit: Type.Number(),
      }),
    ),
  }),
)
const GOODS = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }

/** Needs Odoo 19, where a product can be ordered in several units. */
describe('odoo: order units of a real server', function () {
  this.timeout(600_000)
  const { storefront, clerk } = odooAccess()
  const desk = connectOdooClerk(clerk)
  const { inventory, accounting, close } = connectOdooPorts(storefront)
  after(async () => {
    await close()
    await desk.close()
  })

  it('are those of the sale order, at the same total, while shipments have the base unit', async function () {
    const [item] = await inventory.items([GOODS.sku], { product: true, stock: false }, createCall())
    const pack = item!.product!.order_uoms.find(({ factor }) => factor === '6')
    if (!pack) return this.skip()
    const customerId = String(await createFinder(desk.rpc)('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    const reference = `ord_${randomUUID().slice(0, 12)}`
    const draft = createOrderDraft({ reference, customerId, goods: GOODS, quantity: '12' })
    draft.lines[0] = { ...draft.lines[0]!, order_uom: pack.uom, order_quantity: '2' }
    const result = await accounting.placeOrder!(draft, createCall())
    if (result.state !== 'placed') throw new Error(`refused: ${result.reason}`)
    expect(result.order).to.deep.include({ lines: draft.lines, totals: draft.totals })

    const { order_id } = result.order
    const unit = { fields: { name: {} } }
    const specification = {
      amount_total: {},
      order_line: { fields: { product_uom_id: unit, product_uom_qty: {}, price_unit: {} } },
    }
    const search = { domain: [['id', '=', Number(order_id)]], specification }
    const [sale] = (await desk.rpc.search(Sales, 'sale.order', search, createCall())).records
    expect(sale!.amount_total).to.equal(Number(draft.totals.total))
    const [{ product_uom_id, ...line } = { product_uom_id: null }] = sale!.order_line
    expect(product_uom_id).to.include({ name: pack.uom })
    expect(line).to.include({ product_uom_qty: 2, price_unit: 34_200 })

    await createConformanceClerk(desk.rpc).ship(order_id)
    const order = (await accounting.order!(customerId, { order_id }, createCall()))!
    expect(order).to.deep.include({ status: 'SHIPPED', lines: draft.lines })
    expect(order.shipments[0]!.lines).to.deep.equal([{ sku: GOODS.sku, quantity: '12' }])
  })
})
