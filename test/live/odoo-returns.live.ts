import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Type } from 'typebox'
import type { OrderStatus } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { createCall } from '../support/create-call.ts'
import { createConformanceClerk, createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Moves = responseSchema(Type.Array(Type.Object({ id: Type.Integer(), product_uom_qty: Type.Number() })))
const GOODS = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }

/** Returns goods of a delivered order in a real Odoo 17 or above, whose form has one line for each move. */
describe('odoo: returns of a real server', function () {
  this.timeout(600_000)
  const { storefront, clerk: login } = odooAccess()
  const desk = connectOdooClerk(login)
  const clerk = createConformanceClerk(desk.rpc)
  const find = createFinder(desk.rpc)
  const { accounting, close } = connectOdooPorts(storefront)
  const act = (method: string, args: Record<string, unknown>) => desk.rpc.call(Anything, method, args, createCall())
  after(async () => {
    await close()
    await desk.close()
  })

  /** Creates a return of a delivery, and returns its id. */
  async function returnGoods(saleId: number): Promise<number> {
    const delivery = await find('stock.picking', [
      ['sale_id', '=', saleId],
      ['picking_type_id.code', '=', 'outgoing'],
      ['state', '=', 'done'],
    ])
    const context = { active_id: delivery, active_ids: [delivery], active_model: 'stock.picking' }
    const vals_list = [{ picking_id: delivery }]
    const ids = await desk.rpc.call(Ids, 'stock.return.picking/create', { vals_list, context }, createCall())
    const lines = await desk.rpc.call(
      Ids,
      'stock.return.picking.line/search',
      { domain: [['wizard_id', 'in', ids]] },
      createCall(),
    )
    await act('stock.return.picking.line/write', { ids: lines, vals: { quantity: 1 } })
    await act('stock.return.picking/action_create_returns', { ids, context })
    return find('stock.picking', [
      ['return_id', '=', delivery],
      ['state', 'not in', ['done', 'cancel']],
    ])
  }

  it('leave the order shipped, while they are open and when they are done', async () => {
    const customerId = String(await find('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    const draft = createOrderDraft({ reference: `ord_${randomUUID().slice(0, 12)}`, customerId, goods: GOODS })
    const placed = await accounting.placeOrder!(draft, createCall())
    if (placed.state !== 'placed') throw new Error(`refused: ${placed.reason}`)
    const { order_id } = placed.order
    const read = async () => (await accounting.order!(customerId, { order_id }, createCall()))!
    const isListed = async (status: OrderStatus) => {
      const query = { limit: 100, offset: 0, status }
      return (await accounting.orders!(customerId, query, createCall())).orders.some((one) => one.order_id === order_id)
    }
    const lists = async () => ({ shipped: await isListed('SHIPPED'), partial: await isListed('PARTIALLY_SHIPPED') })
    await clerk.ship(order_id)
    const shipped = await read()
    expect([shipped.status, await lists()]).to.deep.equal(['SHIPPED', { shipped: true, partial: false }])

    const since = new Date(Date.now() - 1_000).toISOString()
    const picking = await returnGoods(Number(order_id))
    const open = await read()
    expect({ ...open, updated_at: '' }).to.deep.equal({ ...shipped, updated_at: '' })
    expect(await lists()).to.deep.equal({ shipped: true, partial: false })
    const { changes } = await accounting.orderChanges!({ since, limit: 100, offset: 0 }, createCall())
    expect(changes.find((one) => one.order_id === order_id)).to.deep.include({ status: 'SHIPPED' })
    const cancellation = { reason: 'OTHER', note: null } as const
    const cancelled = await accounting.cancelOrder!(customerId, { order_id }, cancellation, createCall())
    expect(cancelled).to.deep.equal({ state: 'refused', status: 'SHIPPED' })

    const domain = [['picking_id', '=', picking]]
    const moves = await desk.rpc.call(
      Moves,
      'stock.move/search_read',
      { domain, fields: ['product_uom_qty'] },
      createCall(),
    )
    for (const { id, product_uom_qty } of moves)
      await act('stock.move/write', { ids: [id], vals: { quantity: product_uom_qty, picked: true } })
    await act('stock.picking/button_validate', { ids: [picking], context: { skip_sms: true, skip_backorder: true } })
    expect({ ...(await read()), updated_at: '' }).to.deep.equal({ ...shipped, updated_at: '' })
    expect(await lists()).to.deep.equal({ shipped: true, partial: false })
  })
})
