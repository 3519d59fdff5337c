import { expect } from 'chai'
import { Type } from 'typebox'
import { addShipping, computeCartTotals } from '../../src/commands/carts/cart-totals.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import type { Ports } from '../adapters/conformance/subject.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { createCall } from '../support/create-call.ts'
import { createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { createOdooTaxRecords } from './support/create-odoo-tax-records.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Sales = responseSchema(
  Type.Array(Type.Object({ amount_untaxed: Type.Number(), amount_tax: Type.Number(), amount_total: Type.Number() })),
)
const Lines = responseSchema(Type.Array(Type.Object({ id: Type.Integer(), price_unit: Type.Number() })))
const CASES = Math.max(1, Math.trunc(Number(process.env.CHECKOUTS)) || 12)
const SEED = Number(process.env.SEED ?? 20_261_129)

/** Holds carts and orders with group, fixed and compound taxes against those that Odoo itself computes. */
describe('odoo: taxes of a real server', function () {
  this.timeout(3_600_000)
  const { storefront, clerk } = odooAccess()
  const desk = connectOdooClerk(clerk)
  const random = createSeededRandom(SEED)
  const mark = Date.now().toString(36).toUpperCase()
  let records: Awaited<ReturnType<typeof createOdooTaxRecords>>
  let company: number
  const write = (model: string, ids: number[], vals: object) =>
    desk.rpc.call(Anything, `${model}/write`, { ids, vals }, createCall())
  const roundBy = (method: string) => write('res.company', [company], { tax_calculation_rounding_method: method })

  before(async () => {
    company = await createFinder(desk.rpc)('res.company', [])
    records = await createOdooTaxRecords(desk.rpc, mark)
  })
  after(async () => {
    await roundBy('round_per_line')
    await records.archive()
    await desk.close()
  })

  /** Returns the prices and amounts of a quotation that Odoo prices itself. Odoo 19 does not round a price that it adapts to other taxes. */
  async function quoteInOdoo(partner_id: number, lines: readonly { sku: string; quantity: string }[]) {
    const order_line = lines.map(({ sku, quantity }) => [
      0,
      0,
      { product_id: records.products.get(sku)!, product_uom_qty: Number(quantity) },
    ])
    const ids = await desk.rpc.call(Ids, 'sale.order/create', { vals_list: [{ partner_id, order_line }] }, createCall())
    const args = { domain: [['order_id', 'in', ids]], fields: ['price_unit'], order: 'sequence, id' }
    const sold = await desk.rpc.call(Lines, 'sale.order.line/search_read', args, createCall())
    for (const { id, price_unit } of sold)
      if (price_unit !== Number(price_unit.toFixed(2)))
        await write('sale.order.line', [id], { price_unit: Number(price_unit.toFixed(2)) })
    const own = await readSale(ids)
    await desk.rpc.call(Anything, 'sale.order/unlink', { ids }, createCall())
    return { ...own, prices: sold.map(({ price_unit }) => price_unit.toFixed(2)) }
  }
  async function readSale(ids: number[]) {
    const fields = ['amount_untaxed', 'amount_tax', 'amount_total']
    const [sale] = await desk.rpc.call(Sales, 'sale.order/read', { ids, fields }, createCall())
    return { tax_total: sale!.amount_tax.toFixed(2), total: sale!.amount_total.toFixed(2) }
  }

  type Asked = { sku: string; quantity: string }[]
  async function price({ pricing }: Ports, customerId: string, asked: Asked, codes: string[] = []) {
    const lines = asked.map((line, i) => ({ line_id: `l${i}`, ...line }))
    const quote = await pricing!.quote!({ customerId, lines, codes }, createCall())
    expect(quote.lines.map(({ sku }) => sku)).to.deep.equal(asked.map(({ sku }) => sku))
    const priced = quote.lines.map((line, i) => ({ ...line, quantity: asked[i]!.quantity, tax: line.tax! }))
    return { quote, priced, ...computeCartTotals(priced, priced[0]!.tax_included, 2) }
  }

  function toDraft(reference: string, customerId: string, cart: Awaited<ReturnType<typeof price>>): OrderDraft {
    const { quote, priced, lines, totals } = cart
    const goods = { sku: priced[0]!.sku, uom: 'Units', unitPrice: '1.00' }
    const template = createOrderDraft({ reference, customerId, goods })
    return {
      ...template,
      payment_method: 'CASH_ON_DELIVERY',
      lines: priced.map(({ sku, quantity, unit_price, discount, tax }, i) => ({
        ...template.lines[0]!,
        ...{ sku, quantity, unit_price, discount },
        tax: { code: tax.code, rate: tax.rate, amount: lines[i]!.tax },
        line_total: lines[i]!.line_total,
      })),
      promotions: quote.promotions.map(({ code, description, discount }) => ({ code, description, discount })),
      totals,
    }
  }

  async function place({ accounting }: Ports, draft: OrderDraft) {
    const placed = await accounting!.placeOrder!(draft, createCall())
    expect(placed, JSON.stringify(draft)).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
    if (placed.state !== 'placed') throw new Error('refused')
    expect(placed.order.totals).to.deep.equal(draft.totals)
    const { tax_total, total } = draft.totals
    expect(await readSale([Number(placed.order.order_id)])).to.deep.equal({ tax_total, total })
    const reason = { reason: 'OTHER', note: null } as const
    await accounting!.cancelOrder!(draft.customer_id, { reference: draft.reference }, reason, createCall())
  }

  const pick = (skus: readonly string[]): Asked => {
    const some = skus.filter(() => random.next() < 0.5)
    const chosen = some.length === 0 ? skus : some
    return chosen.map((sku) => ({ sku, quantity: String(random.between(1, 17)) }))
  }

  for (const method of ['round_per_line', 'round_globally']) {
    it(`have the amounts of Odoo in ${CASES} carts of each customer, ${method} (seed ${SEED})`, async () => {
      await roundBy(method)
      const { close, ...ports } = connectOdooPorts(storefront)
      const included = method === 'round_per_line' ? records.included : records.alwaysIncluded
      try {
        for (const customer of records.customers)
          for (let n = 0; n < CASES; n += 1) {
            const asked = pick(n % 2 === 0 ? records.excluded : included)
            const cart = await price(ports, String(customer), asked)
            const own = await quoteInOdoo(customer, asked)
            const { tax_total, total } = cart.totals
            const prices = cart.priced.map(({ unit_price }) => unit_price)
            expect({ tax_total, total, prices }, JSON.stringify([customer, asked])).to.deep.equal(own)
            if (n % 3 === 0)
              await place(ports, toDraft(`ord_tax${mark}${method.at(-1)}${customer}x${n}`, String(customer), cart))
          }
      } finally {
        await close()
      }
    })

    it(`have the amounts of Odoo in ${CASES} carts of prices with and without tax, ${method} (seed ${SEED})`, async () => {
      await roundBy(method)
      const { close, ...ports } = connectOdooPorts(storefront)
      const included = method === 'round_per_line' ? records.included : records.alwaysIncluded
      const kinds = [records.excluded, included, records.partlyIncluded]
      try {
        for (const customer of records.customers)
          for (let n = 0; n < CASES; n += 1) {
            const asked = kinds.filter((_, kind) => kind !== n % (kinds.length + 1)).flatMap(pick)
            const cart = await price(ports, String(customer), asked)
            const { prices: _, ...own } = await quoteInOdoo(customer, asked)
            const { tax_total, total, tax_included } = cart.totals
            expect({ tax_total, total }, JSON.stringify([customer, asked])).to.deep.equal(own)
            expect(tax_included, JSON.stringify([customer, asked])).to.equal(false)
            if (n % 3 === 0)
              await place(ports, toDraft(`ord_mix${mark}${method.at(-1)}${customer}x${n}`, String(customer), cart))
          }
      } finally {
        await close()
      }
    })

    it(`have the amounts of Odoo with a promotion code, ${method} (seed ${SEED})`, async () => {
      await roundBy(method)
      const { close, ...ports } = connectOdooPorts(storefront)
      const included = method === 'round_per_line' ? records.included : records.alwaysIncluded
      const kinds = [[records.excluded], [included], [records.excluded, included, records.partlyIncluded]]
      try {
        for (const customer of records.customers)
          for (let n = 0; n < CASES; n += 1) {
            const cart = await price(ports, String(customer), kinds[n % 3]!.flatMap(pick), [random.of(records.codes)])
            await place(ports, toDraft(`ord_code${mark}${method.at(-1)}${customer}x${n}`, String(customer), cart))
          }
      } finally {
        await close()
      }
    })

    it(`have the amounts of Odoo with a promotion code and a delivery, ${method}`, async () => {
      await roundBy(method)
      const { close, ...ports } = connectOdooPorts(storefront)
      const customer = String(records.customers[0])
      try {
        for (let n = 0; n < CASES; n += 1) {
          const cart = await price(ports, customer, pick(records.excluded), n % 3 === 0 ? [] : [records.codes[n % 2]!])
          const { lines, totals } = toDraft('ord_none', customer, cart)
          const options = await ports.accounting.deliveryOptions!(
            {
              customerId: customer,
              lines: lines.map(({ sku, quantity }) => ({ sku, quantity })),
              goods_total: totals.total,
              tax_included: totals.tax_included,
              codes: cart.quote.promotions.map(({ code }) => code),
              shipping_address: null,
            },
            createCall(),
          )
          const option = options.find(({ name }) => name === `Taxed van ${mark}`)!
          const delivery = { delivery_option_id: option.delivery_option_id, name: option.name, pickup_place: null }
          const draft = toDraft(`ord_tax${mark}${method.at(-1)}d${n}`, customer, cart)
          const sent = { ...draft, delivery, totals: addShipping(draft.totals, option, 2), shipping_address: null }
          await place(ports, sent)
        }
      } finally {
        await close()
      }
    })
  }
})
