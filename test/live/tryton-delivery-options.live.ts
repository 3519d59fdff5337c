import { expect } from 'chai'
import { Type } from 'typebox'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import { nullable, TrytonDecimal } from '../../adapters/tryton/client/tryton-values.ts'
import { addShipping, computeCartTotals } from '../../src/commands/carts/cart-totals.ts'
import type { DeliveryOption } from '../../src/ports/delivery.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { createCall } from '../support/create-call.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Id = nullable(Type.Integer())
const Sales = responseSchema(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      carrier: Id,
      shipment_cost_method: nullable(Type.String()),
      untaxed_amount: TrytonDecimal,
      tax_amount: TrytonDecimal,
      total_amount: TrytonDecimal,
      shipments: Type.Array(Type.Integer()),
      invoices: Type.Array(Type.Integer()),
    }),
  ),
)
const Lines = responseSchema(
  Type.Array(Type.Object({ product: Id, shipment_cost: nullable(TrytonDecimal), amount: TrytonDecimal })),
)
const Shipments = responseSchema(Type.Array(Type.Object({ carrier: Id })))
const Carriers = responseSchema(Type.Array(Type.Object({ id: Type.Integer(), carrier_product: Type.Integer() })))
const Invoices = responseSchema(Type.Array(Type.Object({ total_amount: TrytonDecimal })))

/** The customers of test/support/tryton/seed-demo.py and seed-trade.py. */
const GARAGE = '3'
const WALK_IN = '4'
const EXEMPT = '5'
const KINGSTON = { line1: '4 Hope Road', line2: null, city: 'Kingston', region: null, postal_code: null }
const here = { ...KINGSTON, country: 'JM' }
const abroad = { ...KINGSTON, line1: '5 Ocean Drive', city: 'Miami', country: 'US' }
const EXPRESS = 'Express delivery'
const INSURED = 'Insured delivery'
const ABROAD = 'Parcel abroad'

interface Cart {
  customerId?: string
  lines: Record<string, string>
  codes?: string[]
  address?: OrderDraft['shipping_address']
}

/** Compares deliveries with those that a real Tryton adds to its quotations. */
describe('tryton: deliveries of a real server', function () {
  this.timeout(1_800_000)
  const { storefront, clerk } = trytonAccess()
  const desk: { rpc: Rpc; close(): Promise<void> } = connectClerk(clerk)
  const ports = connectTrytonPorts(storefront)
  const others = connectTrytonPorts(storefront)
  const mark = Date.now().toString(36)
  let placedCount = 0

  after(() => Promise.all([ports.close(), others.close(), desk.close()]))

  async function price({ customerId = GARAGE, lines, codes = [] }: Cart) {
    const asked = Object.entries(lines).map(([sku, quantity], i) => ({ line_id: `l${i}`, sku, quantity }))
    const [quote, taxes] = await Promise.all([
      ports.pricing.quote!({ customerId, lines: asked, codes }, createCall()),
      ports.accounting.taxes(Object.keys(lines), customerId, createCall()),
    ])
    expect(quote.promotions.map(({ status }) => status)).to.deep.equal(codes.map(() => 'APPLIED'))
    const priced = asked.map((line) => ({
      ...line,
      ...quote.lines.find(({ line_id }) => line_id === line.line_id)!,
      tax: taxes.find(({ sku }) => sku === line.sku)!,
    }))
    return { priced, promotions: quote.promotions, ...computeCartTotals(priced, false, 2) }
  }
  type Priced = Awaited<ReturnType<typeof price>>

  const readOptions = (
    { customerId = GARAGE, codes = [], address = here }: Cart,
    { priced, totals }: Pick<Priced, 'priced' | 'totals'>,
  ) => {
    const lines = priced.map(({ sku, quantity }) => ({ sku, quantity }))
    const query = { customerId, lines, codes, goods_total: totals.total, tax_included: false }
    return ports.accounting.deliveryOptions!({ ...query, shipping_address: address }, createCall())
  }

  async function optionsOf(cart: Cart) {
    const priced = await price(cart)
    const options = await readOptions(cart, priced)
    const named = (name: string) => options.find((option) => option.name === name)!
    return { priced, options, named, names: options.map(({ name }) => name) }
  }

  function toDraft({ customerId = GARAGE, address = here }: Cart, cart: Priced, option: DeliveryOption): OrderDraft {
    const { priced, lines, totals, promotions } = cart
    const goods = { sku: priced[0]!.sku, uom: 'u', unitPrice: '1.00' }
    placedCount += 1
    const template = createOrderDraft({ reference: `ord_ship${mark}x${placedCount}`, customerId, goods })
    const { delivery_option_id, name } = option
    return {
      ...template,
      payment_method: customerId === GARAGE ? 'CREDIT_TERMS' : 'CASH_ON_DELIVERY',
      shipping_address: address,
      delivery: { delivery_option_id, name, pickup_place: null },
      lines: priced.map(({ sku, quantity, unit_price, discount, tax }, i) => ({
        ...template.lines[0]!,
        ...{ sku, quantity, unit_price, discount },
        tax: { code: tax.code, rate: tax.rate, amount: lines[i]!.tax },
        line_total: lines[i]!.line_total,
      })),
      promotions: promotions.map(({ code, description, discount }) => ({ code, description, discount })),
      totals: addShipping(totals, option, 2),
    }
  }

  async function readSale({ reference }: OrderDraft) {
    const fields = ['carrier', 'shipment_cost_method', 'untaxed_amount', 'tax_amount', 'total_amount']
    const params = [[['web_id', '=', reference]], 0, null, null, [...fields, 'shipments', 'invoices']]
    const sales = await desk.rpc(Sales, 'sale.sale.search_read', params, createCall())
    expect(sales, reference).to.have.length(1)
    return sales[0]!
  }

  async function readCostLines(sale: number) {
    const domain = [
      ['sale', '=', sale],
      ['shipment_cost', '!=', null],
    ]
    const fields = ['product', 'shipment_cost', 'amount']
    return desk.rpc(Lines, 'sale.line.search_read', [domain, 0, null, null, fields], createCall())
  }

  async function place(draft: OrderDraft, through = ports) {
    const result = await through.accounting.placeOrder!(draft, createCall())
    if (result.state !== 'placed') throw new Error(`${JSON.stringify(result)} ${JSON.stringify(draft)}`)
    return result.order
  }

  const cancel = ({ customer_id, reference }: OrderDraft) =>
    ports.accounting.cancelOrder!(customer_id, { reference }, { reason: 'OTHER', note: null }, createCall())

  const productOf = async (carrier: number | null) => {
    const params = [[carrier], ['carrier_product']]
    return (await desk.rpc(Carriers, 'carrier.read', params, createCall()))[0]!.carrier_product
  }

  /** Places an order with a delivery, and compares it with the sale, its shipment and its invoice. */
  async function compare(cart: Cart, name: string, cost = name): Promise<OrderDraft> {
    const { priced, named } = await optionsOf(cart)
    const option = named(name)
    const draft = toDraft(cart, priced, option)
    const order = await place(draft)
    expect(order, cost).to.deep.include({ totals: draft.totals, delivery: draft.delivery, status: 'CONFIRMED' })
    const sale = await readSale(draft)
    expect(sale.carrier).to.equal(Number(option.delivery_option_id))
    const { subtotal, discount_total, shipping_total, tax_total, total } = draft.totals
    const untaxed = (Number(subtotal) - Number(discount_total) + Number(shipping_total)).toFixed(2)
    expect([sale.untaxed_amount.decimal, sale.tax_amount.decimal, sale.total_amount.decimal].map(cents)).to.deep.equal([
      untaxed,
      tax_total,
      total,
    ])
    const costs = await readCostLines(sale.id)
    if (sale.shipment_cost_method === null) expect(costs).to.deep.equal([])
    else {
      expect(sale.shipment_cost_method).to.equal('order')
      expect(costs.map(({ amount }) => cents(amount.decimal))).to.deep.equal([option.price])
      expect(costs[0]!.product).to.equal(await productOf(sale.carrier))
    }
    const shipments = await desk.rpc(Shipments, 'stock.shipment.out.read', [sale.shipments, ['carrier']], createCall())
    expect(shipments).to.deep.equal([{ ...shipments[0], carrier: sale.carrier }])
    const invoices = await desk.rpc(Invoices, 'account.invoice.read', [sale.invoices, ['total_amount']], createCall())
    expect(invoices.map(({ total_amount }) => cents(total_amount.decimal))).to.deep.equal([total])
    return draft
  }
  const cents = (value: string) => Number(value).toFixed(2)

  for (const [what, cart, name, shown] of [
    ['the price of a product', { lines: { 'PAD-001': '3', 'OFL-001': '12' } }, EXPRESS, '650.50'],
    ['a percentage of the goods', { lines: { 'PAD-001': '3', 'OIL-002': '7' } }, INSURED, undefined],
    ['a percentage of goods at contract prices and breaks', { lines: { 'OFL-001': '48', 'MAP-001': '1' } }, INSURED],
    ['a carrier to another country', { lines: { 'BLB-001': '2' }, address: abroad }, ABROAD, '4321.12'],
    ['list prices', { customerId: WALK_IN, lines: { 'PAD-001': '1', 'BLB-001': '4' } }, INSURED],
    ['no tax for an exempt customer', { customerId: EXEMPT, lines: { 'PAD-001': '1' } }, EXPRESS, '650.50'],
    ['an automatic promotion of the goods', { customerId: WALK_IN, lines: { 'OFL-008': '5' } }, INSURED],
    ['a promotion of everything', { lines: { 'PAD-001': '2', 'OFL-001': '3' }, codes: ['TRADE3'] }, EXPRESS, '630.98'],
    ['a percentage and a promotion', { lines: { 'PAD-001': '2', 'AFL-001': '4' }, codes: ['TRADE3'] }, INSURED],
  ] as [string, Cart, string, string?][]) {
    it(`cost what Tryton charges, and so do the orders: ${what}`, async () => {
      if (shown !== undefined) expect((await optionsOf(cart)).named(name).price).to.equal(shown)
      const draft = await compare(cart, name, what)
      expect((await cancel(draft))!.state).to.equal('cancelled')
    })
  }

  it('are those that Tryton has for the address, in its order', async () => {
    const lines = { 'PAD-001': '1' }
    expect((await optionsOf({ lines })).names).to.deep.equal([EXPRESS, INSURED])
    expect((await optionsOf({ lines, address: abroad })).names).to.deep.equal([INSURED, ABROAD])
    // The customer's own address is in Jamaica.
    expect((await optionsOf({ lines, address: null })).names).to.deep.equal([EXPRESS, INSURED])
    expect((await optionsOf({ lines, address: { ...here, country: 'DE' } })).names).to.deep.equal([INSURED])
  })

  it('name the service, the carrier and the tax', async () => {
    const { named } = await optionsOf({ lines: { 'PAD-001': '1' } })
    expect(named(EXPRESS)).to.deep.include({
      description: 'Island Couriers',
      fulfillment_method: 'DELIVERY',
      price: '650.50',
      tax: { code: 'GCT', name: 'General Consumption Tax 15%', rate: '0.15' },
      pickup_places: [],
    })
    const exempt = await optionsOf({ customerId: EXEMPT, lines: { 'PAD-001': '1' } })
    expect(exempt.named(EXPRESS).tax).to.deep.equal({ code: 'NONE', name: 'No tax', rate: '0' })
  })

  it('cost nothing when Tryton charges nothing', async () => {
    const method = (value: string | null) =>
      desk.rpc(Anything, 'sale.configuration.write', [[1], { sale_shipment_cost_method: value }], createCall())
    const cart = { lines: { 'PAD-001': '1' } }
    await method(null)
    try {
      const { options } = await optionsOf(cart)
      expect(options.map(({ price: amount }) => amount)).to.deep.equal(['0.00', '0.00'])
      const draft = await compare(cart, EXPRESS)
      expect(draft.totals.shipping_total).to.equal('0.00')
      await cancel(draft)
    } finally {
      await method('order')
    }
  })

  it('are in one order when it is sent by two processes and again', async () => {
    const cart = { lines: { 'PAD-001': '1' } }
    const { priced, named } = await optionsOf(cart)
    const draft = toDraft(cart, priced, named(EXPRESS))
    const orders = [...(await Promise.all([place(draft), place(draft, others)])), await place(draft, others)]
    expect(new Set(orders.map(({ order_id }) => order_id)).size).to.equal(1)
    const { id } = await readSale(draft)
    expect(await readCostLines(id)).to.have.length(1)
    await cancel(draft)
  })

  it('refuse an order whose price has changed, or whose carrier does not go to the address', async () => {
    const cart = { lines: { 'PAD-001': '1' } }
    const { priced, named } = await optionsOf(cart)
    const parcel = (await optionsOf({ ...cart, address: abroad })).named(ABROAD)
    for (const option of [{ ...named(EXPRESS), price: '650.49' }, parcel]) {
      const result = await ports.accounting.placeOrder!(toDraft(cart, priced, option), createCall())
      expect(result).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    }
  })

  it('are on the delivery, not among the lines, after staff have changed the order', async () => {
    const cart = { lines: { 'PAD-001': '1' } }
    const { priced, named } = await optionsOf(cart)
    const draft = toDraft(cart, priced, named(EXPRESS))
    await place(draft)
    // Without the attachment, the order is shown as the sale is.
    const resource = `sale.sale,${(await readSale(draft)).id}`
    const found = [[['resource', '=', resource]], 0, null, null]
    const attachments = await desk.rpc(Ids, 'ir.attachment.search', found, createCall())
    await desk.rpc(Anything, 'ir.attachment.delete', [attachments], createCall())
    const order = (await ports.accounting.order!(GARAGE, { reference: draft.reference }, createCall()))!
    expect(order.lines.map(({ sku }) => sku)).to.deep.equal(['PAD-001'])
    const { taxes: _, ...totals } = draft.totals
    expect(order.totals).to.deep.include(totals)
    await cancel(draft)
  })
})
