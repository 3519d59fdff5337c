import { Type } from 'typebox'
import { foundShape, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Clerk } from '../../adapters/conformance/subject.ts'
import type { Staff } from '../../adapters/odoo/calls-to-record.ts'
import { createCall } from '../create-call.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
/** Before Odoo 18, a copy of one record is not a list. */
const Copies = responseSchema(Type.Union([Type.Integer(), Type.Array(Type.Integer())]))
const Fields = responseSchema(Type.Record(Type.String(), Type.Unknown()))
const Prices = responseSchema(Type.Array(Type.Object({ list_price: Type.Number() })))
const Moves = responseSchema(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      product_id: Type.Tuple([Type.Integer(), Type.String()]),
      product_uom_qty: Type.Number(),
    }),
  ),
)
const OptionalText = Type.Union([Type.String(), Type.Literal(false)])
const StaffOrders = foundShape(
  Type.Object({
    client_order_ref: OptionalText,
    commitment_date: OptionalText,
    partner_shipping_id: Type.Object({ city: OptionalText }),
    order_line: Type.Array(
      Type.Object({
        product_id: Type.Object({ default_code: Type.String() }),
        product_uom_qty: Type.Number(),
        price_unit: Type.Number(),
      }),
    ),
  }),
)
/** What staff change is of this product. */
const SKU = 'GEN-001'

/** Returns a function that finds the first record of a domain. */
export function createFinder(rpc: Rpc) {
  return async (model: string, domain: unknown[]): Promise<number> => {
    const args = { domain, limit: 1, order: 'id', context: { active_test: false } }
    const [id] = await rpc.call(Ids, `${model}/search`, args, createCall())
    if (id === undefined) throw new Error(`no ${model} with ${JSON.stringify(domain)}`)
    return id
  }
}

/** Returns a function that tells whether a model has a field, by which versions of Odoo differ. */
export function createFieldProbe(rpc: Rpc) {
  return async (model: string, field: string): Promise<boolean> => {
    const args = { allfields: [field], attributes: ['type'] }
    return field in (await rpc.call(Fields, `${model}/fields_get`, args, createCall()))
  }
}

/** Creates the invoices of an order without posting them, and returns their ids. */
export async function createDraftInvoices(rpc: Rpc, orderId: string): Promise<number[]> {
  const context = { active_model: 'sale.order', active_ids: [Number(orderId)], active_id: Number(orderId) }
  const vals_list = [{ advance_payment_method: 'delivered' }]
  const ids = await rpc.call(Ids, 'sale.advance.payment.inv/create', { vals_list, context }, createCall())
  await rpc.call(Anything, 'sale.advance.payment.inv/create_invoices', { ids, context }, createCall())
  const domain = [
    ['invoice_line_ids.sale_line_ids.order_id', '=', Number(orderId)],
    ['state', '=', 'draft'],
  ]
  return rpc.call(Ids, 'account.move/search', { domain }, createCall())
}

/** The actions of staff in Odoo during the conformance suite. */
export function createConformanceClerk(rpc: Rpc): Clerk & Staff {
  const find = createFinder(rpc)
  const hasField = createFieldProbe(rpc)
  const act = (method: string, args: Record<string, unknown>) => rpc.call(Anything, method, args, createCall())
  const product = () => find('product.product', [['default_code', '=', SKU]])

  async function openDelivery(orderId: string) {
    const picking = await find('stock.picking', [
      ['sale_id', '=', Number(orderId)],
      ['state', 'not in', ['done', 'cancel']],
    ])
    const args = { domain: [['picking_id', '=', picking]], fields: ['product_id', 'product_uom_qty'] }
    return { picking, moves: await rpc.call(Moves, 'stock.move/search_read', args, createCall()) }
  }
  async function setShipped(move: number, quantity: number) {
    const isOdoo16 = await hasField('stock.move', 'quantity_done')
    const vals = isOdoo16 ? { quantity_done: quantity } : { quantity, picked: quantity > 0 }
    await act('stock.move/write', { ids: [move], vals })
  }
  const validate = (picking: number) =>
    act('stock.picking/button_validate', {
      ids: [picking],
      context: { skip_sms: true, skip_backorder: true, skip_immediate: true },
    })

  return {
    async product() {
      const vals = { description_sale: `Looked at on ${new Date().toISOString()}` }
      await act('product.product/write', { ids: [await product()], vals })
      return SKU
    },
    /** Counts one item less. */
    async stock() {
      const domain = [
        ['product_id', '=', await product()],
        ['location_id.usage', '=', 'internal'],
      ]
      const quant = await find('stock.quant', domain)
      const args = { ids: [quant], fields: ['quantity'] }
      const Quants = responseSchema(Type.Array(Type.Object({ quantity: Type.Number() })))
      const [row] = await rpc.call(Quants, 'stock.quant/read', args, createCall())
      const vals = { inventory_quantity: row!.quantity - 1 }
      await act('stock.quant/write', { ids: [quant], vals, context: { inventory_mode: true } })
      await act('stock.quant/action_apply_inventory', { ids: [quant] })
      return SKU
    },
    async price() {
      const id = await product()
      const [row] = await rpc.call(Prices, 'product.product/read', { ids: [id], fields: ['list_price'] }, createCall())
      await act('product.product/write', { ids: [id], vals: { list_price: row!.list_price + 1 } })
      return SKU
    },
    async order() {
      const id = await find('sale.order', [['origin', '=', 'ECOMMERCE ord_demo0late']])
      await act('sale.order/write', { ids: [id], vals: { note: `Looked at on ${new Date().toISOString()}` } })
      return String(id)
    },
    async invoice() {
      const id = await find('account.move', [
        ['invoice_origin', '=', 'S00002'],
        ['move_type', '=', 'out_invoice'],
      ])
      await act('account.move/write', { ids: [id], vals: { narration: `Looked at on ${new Date().toISOString()}` } })
      return String(id)
    },
    async ship(orderId) {
      const { picking, moves } = await openDelivery(orderId)
      for (const { id, product_uom_qty } of moves) await setShipped(id, product_uom_qty)
      await validate(picking)
    },
    /** Odoo keeps the rest in a delivery of its own. */
    async shipPart(orderId, sku, quantity) {
      const { picking, moves } = await openDelivery(orderId)
      const part = await find('product.product', [['default_code', '=', sku]])
      for (const { id, product_id } of moves) await setShipped(id, product_id[0] === part ? Number(quantity) : 0)
      await validate(picking)
    },
    async read(orderId) {
      const specification = {
        client_order_ref: {},
        commitment_date: {},
        partner_shipping_id: { fields: { city: {} } },
        order_line: { fields: { product_id: { fields: { default_code: {} } }, product_uom_qty: {}, price_unit: {} } },
      }
      const search = { domain: [['id', '=', Number(orderId)]], specification }
      const [order] = (await rpc.search(StaffOrders, 'sale.order', search, createCall())).records
      return {
        po_number: order!.client_order_ref || null,
        requested_date: order!.commitment_date ? order!.commitment_date.slice(0, 10) : null,
        city: order!.partner_shipping_id.city || null,
        lines: order!.order_line.map(({ product_id, product_uom_qty, price_unit }) => ({
          sku: product_id.default_code,
          quantity: String(product_uom_qty),
          unit_price: price_unit.toFixed(2),
        })),
      }
    },
    async duplicate(orderId) {
      const copies = await rpc.call(Copies, 'sale.order/copy', { ids: [Number(orderId)] }, createCall())
      const ids = [copies].flat()
      await act('sale.order/action_confirm', { ids })
      await act('sale.order/action_cancel', { ids })
    },
    async bill(orderId) {
      const ids = await createDraftInvoices(rpc, orderId)
      await act('account.move/action_post', { ids })
    },
  }
}
