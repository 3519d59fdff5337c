import { expect } from 'chai'
import { Type } from 'typebox'
import { addShipping, computeCartTotals } from '../../src/commands/carts/cart-totals.ts'
import type { DeliveryOption } from '../../src/ports/delivery.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { createCall } from '../support/create-call.ts'
import { createFieldProbe, createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Wizards = responseSchema(Type.Array(Type.Object({ delivery_price: Type.Number() })))
const Sales = responseSchema(
  Type.Array(
    Type.Object({
      amount_total: Type.Number(),
      amount_tax: Type.Number(),
      carrier_id: Type.Tuple([Type.Integer(), Type.String()]),
    }),
  ),
)
const Lines = responseSchema(
  Type.Array(Type.Object({ is_delivery: Type.Boolean(), price_unit: Type.Number(), product_uom_qty: Type.Number() })),
)
const Pickings = responseSchema(Type.Array(Type.Object({ carrier_id: Type.Tuple([Type.Integer(), Type.String()]) })))
const CASES = Math.max(1, Math.trunc(Number(process.env.CHECKOUTS)) || 12)
const SEED = Number(process.env.SEED ?? 20_261_128)
const GOODS = ['PAD-001', 'OFL-001', 'OIL-002', 'GEN-001', 'GEN-002', 'GEN-003']
const KINGSTON = { line1: '4 Hope Road', line2: null, city: 'Kingston', region: null, postal_code: 'JMAAW06' }
const here = { ...KINGSTON, country: 'JM' }
const abroad = { ...KINGSTON, country: 'US' }

/** Compares deliveries with those of Odoo's own form, and orders with the sale orders of a real Odoo. */
describe('odoo: deliveries of a real server', function () {
  this.timeout(3_600_000)
  const { storefront, clerk } = odooAccess()
  const desk = connectOdooClerk(clerk)
  const ports = connectOdooPorts(storefront)
  const find = createFinder(desk.rpc)
  const random = createSeededRandom(SEED)
  const mark = Date.now().toString(36).toUpperCase()
  const carriers = new Map<string, number>()
  let customerId: string

  const create = async (model: string, vals: object) =>
    (await desk.rpc.call(Ids, `${model}/create`, { vals_list: [vals] }, createCall()))[0]!

  async function carry(name: string, vals: object, listPrice: number) {
    const product = { name: `${name} ${mark}`, type: 'service', sale_ok: false, list_price: listPrice }
    const product_id = await create('product.product', product)
    const id = await create('delivery.carrier', { name: `${name} ${mark}`, product_id, is_published: true, ...vals })
    carriers.set(name, id)
  }

  before(async () => {
    customerId = String(await find('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    const jamaica = await find('res.country', [['code', '=', 'JM']])
    const step = (variable: string, operator: string, max_value: number, base: number, price = 0, by = 'weight') =>
      [0, 0, { variable, operator, max_value, list_base_price: base, list_price: price, variable_factor: by }] as const
    await carry('Van', { delivery_type: 'fixed' }, 777.77)
    await carry('Free from 20000', { delivery_type: 'fixed', free_over: true, amount: 20_000 }, 950)
    const byWeight = [step('weight', '<=', 20, 350, 12.345), step('weight', '>', 20, 900, 31.7)]
    // In Odoo 16, the margin is a percentage, and there is no other.
    const hasFixedMargin = await createFieldProbe(desk.rpc)('delivery.carrier', 'fixed_margin')
    const margins = hasFixedMargin ? { margin: 0.075, fixed_margin: 33.33 } : { margin: 7.5 }
    await carry('By weight', { delivery_type: 'base_on_rule', price_rule_ids: byWeight, ...margins }, 0)
    const byPrice = [step('price', '<', 30_000, 0, 0.0333, 'price'), step('quantity', '>=', 5, 100, 7.25, 'quantity')]
    await carry('By price', { delivery_type: 'base_on_rule', price_rule_ids: byPrice }, 0)
    await carry('Jamaica', { delivery_type: 'fixed', country_ids: [[6, 0, [jamaica]]] }, 410)
    await carry('Parish', { delivery_type: 'fixed', zip_prefix_ids: [[0, 0, { name: `JMAAW${mark}` }]] }, 120)
    await carry('Hidden', { delivery_type: 'fixed', is_published: false }, 5)
    for (const [i, sku] of GOODS.entries()) {
      const id = await find('product.product', [['default_code', '=', sku]])
      const vals = { weight: 0.35 * (i + 1), volume: 0.01 * i }
      await desk.rpc.call(Anything, 'product.product/write', { ids: [id], vals }, createCall())
    }
  })
  after(async () => {
    const ids = [...carriers.values()]
    await desk.rpc.call(Anything, 'delivery.carrier/write', { ids, vals: { active: false } }, createCall())
    await ports.close()
    await desk.close()
  })

  async function price(lines: { sku: string; quantity: string }[]) {
    const asked = lines.map((line, i) => ({ line_id: `l${i}`, ...line }))
    const quote = await ports.pricing.quote!({ customerId, lines: asked, codes: [] }, createCall())
    const priced = quote.lines.map((line, i) => ({ ...line, quantity: lines[i]!.quantity, tax: line.tax! }))
    return { priced, ...computeCartTotals(priced, priced[0]!.tax_included, 2) }
  }
  type Priced = Awaited<ReturnType<typeof price>>

  const readOptions = ({ priced, totals }: Priced, shipping_address: OrderDraft['shipping_address']) => {
    const lines = priced.map(({ sku, quantity }) => ({ sku, quantity }))
    const query = { customerId, lines, goods_total: totals.total, tax_included: totals.tax_included, shipping_address }
    return ports.accounting.deliveryOptions!(query, createCall())
  }

  function toDraft(reference: string, { priced, lines, totals }: Priced, option: DeliveryOption): OrderDraft {
    const goods = { sku: priced[0]!.sku, uom: 'Units', unitPrice: '1.00' }
    const template = createOrderDraft({ reference, customerId, goods })
    const { delivery_option_id, name } = option
    return {
      ...template,
      shipping_address: here,
      delivery: { delivery_option_id, name, pickup_place: null },
      lines: priced.map(({ sku, quantity, unit_price, discount, tax }, i) => ({
        ...template.lines[0]!,
        ...{ sku, quantity, unit_price, discount },
        tax: { code: tax.code, rate: tax.rate, amount: lines[i]!.tax },
        line_total: lines[i]!.line_total,
      })),
      totals: addShipping(totals, option, 2),
    }
  }

  /** Returns the price that Odoo's form proposes for an order. */
  async function proposed(order_id: number, carrier_id: number): Promise<number> {
    const wizard = await create('choose.delivery.carrier', { order_id, carrier_id })
    await desk.rpc.call(Anything, 'choose.delivery.carrier/update_price', { ids: [wizard] }, createCall())
    const args = { ids: [wizard], fields: ['delivery_price'] }
    return (await desk.rpc.call(Wizards, 'choose.delivery.carrier/read', args, createCall()))[0]!.delivery_price
  }

  it(`cost what Odoo's own form proposes, and so do the orders, ${CASES} times (seed ${SEED})`, async () => {
    for (let n = 0; n < CASES; n += 1) {
      const skus = GOODS.filter(() => random.next() < 0.5)
      const lines = (skus.length === 0 ? GOODS : skus).map((sku) => ({
        sku,
        quantity: String(random.between(1, n % 3 === 0 ? 40 : 4)),
      }))
      const cart = await price(lines)
      const own = new Set([...carriers.values()].map(String))
      const options = (await readOptions(cart, here)).filter(({ delivery_option_id }) => own.has(delivery_option_id))
      expect(options.length).to.be.at.least(3)
      const option = random.of(options)
      const draft = toDraft(`ord_ship${mark}${n}`, cart, option)
      const placed = await ports.accounting.placeOrder!(draft, createCall())
      expect(placed, JSON.stringify(draft)).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
      if (placed.state !== 'placed') throw new Error('refused')
      expect(placed.order).to.deep.include({ totals: draft.totals, delivery: draft.delivery })
      const id = Number(placed.order.order_id)
      const carrierId = Number(option.delivery_option_id)
      const fields = ['amount_total', 'amount_tax', 'carrier_id']
      const [sale] = await desk.rpc.call(Sales, 'sale.order/read', { ids: [id], fields }, createCall())
      expect([sale!.amount_total.toFixed(2), sale!.amount_tax.toFixed(2), sale!.carrier_id[0]]).to.deep.equal([
        draft.totals.total,
        draft.totals.tax_total,
        carrierId,
      ])
      const ofOrder = { domain: [['order_id', '=', id]], order: 'sequence, id' }
      const lineFields = ['is_delivery', 'price_unit', 'product_uom_qty']
      const found = { ...ofOrder, fields: lineFields }
      const sold = await desk.rpc.call(Lines, 'sale.order.line/search_read', found, createCall())
      expect(sold.map(({ is_delivery }) => is_delivery)).to.deep.equal([...lines.map(() => false), true])
      expect(sold.at(-1)).to.include({ price_unit: Number(option.price), product_uom_qty: 1 })
      const picked = { domain: [['sale_id', '=', id]], fields: ['carrier_id'] }
      const pickings = await desk.rpc.call(Pickings, 'stock.picking/search_read', picked, createCall())
      expect(pickings.map(({ carrier_id }) => carrier_id[0])).to.deep.equal([carrierId])
      for (const { delivery_option_id, price: shown } of options)
        expect((await proposed(id, Number(delivery_option_id))).toFixed(2), delivery_option_id).to.equal(shown)
      const reason = { reason: 'OTHER', note: null } as const
      await ports.accounting.cancelOrder!(customerId, { reference: draft.reference }, reason, createCall())
    }
  })

  it('are offered where their method serves the address, and only if it is published', async () => {
    const cart = await price([{ sku: 'PAD-001', quantity: '1' }])
    const namesAt = async (address: OrderDraft['shipping_address']) =>
      (await readOptions(cart, address)).flatMap(({ name }) =>
        name.endsWith(mark) ? [name.slice(0, -mark.length - 1)] : [],
      )
    const everywhere = ['Van', 'Free from 20000', 'By weight', 'By price']
    expect(await namesAt(here)).to.have.members([...everywhere, 'Jamaica'])
    expect(await namesAt(abroad)).to.have.members(everywhere)
    const parish = { ...here, postal_code: `jmaaw${mark.toLowerCase()}9` }
    expect(await namesAt(parish)).to.have.members([...everywhere, 'Jamaica', 'Parish'])
  })

  it('refuse an order whose price has changed since', async () => {
    const cart = await price([{ sku: 'PAD-001', quantity: '1' }])
    const van = (await readOptions(cart, here)).find(({ name }) => name === `Van ${mark}`)!
    const draft = toDraft(`ord_ship${mark}old`, cart, { ...van, price: '777.76' })
    const placed = await ports.accounting.placeOrder!(draft, createCall())
    expect(placed).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
  })
})
