import { expect } from 'chai'
import { Type } from 'typebox'
import { computeCartTotals } from '../../src/commands/carts/cart-totals.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import type { Quote } from '../../src/ports/pricing.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { createCall } from '../support/create-call.ts'
import { createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Sales = responseSchema(
  Type.Array(Type.Object({ amount_total: Type.Number(), amount_tax: Type.Number(), note: Type.Unknown() })),
)
const Lines = responseSchema(Type.Array(Type.Object({ discount: Type.Number(), price_subtotal: Type.Number() })))
const CASES = Math.max(1, Math.trunc(Number(process.env.CHECKOUTS)) || 20)
const SEED = Number(process.env.SEED ?? 20_261_127)
/** The rewards of codes for all goods. */
const REWARDS: Record<string, object> = {
  ...Object.fromEntries([5, 7.5, 10, 12.34, 33.33, 50].map((discount) => [`ALL${discount}`, { discount }])),
  FINE: { discount: 12.345 },
  MOST: { discount: 20, discount_max_amount: 777.77 },
  LESS500: { discount_mode: 'per_order', discount: 500 },
  LESS1234: { discount_mode: 'per_order', discount: 1_234.56 },
  POINTS: { discount_mode: 'per_point', discount: 333.33 },
}
const GOODS = ['PAD-001', 'OFL-001', 'OIL-002', 'GEN-001', 'GEN-002', 'GEN-003', 'GEN-004', 'GEN-005']

/** Places orders with promotion codes, and compares them with the sale orders of a real Odoo. */
describe('odoo: promotion codes of a real server', function () {
  this.timeout(3_600_000)
  const { storefront, clerk } = odooAccess()
  const desk = connectOdooClerk(clerk)
  const ports = connectOdooPorts(storefront)
  const find = createFinder(desk.rpc)
  const random = createSeededRandom(SEED)
  const mark = Date.now().toString(36).toUpperCase()
  const programs: number[] = []
  after(async () => {
    // Odoo deletes no program that is active.
    await desk.rpc.call(Anything, 'loyalty.program/write', { ids: programs, vals: { active: false } }, createCall())
    await ports.close()
    await desk.close()
  })

  async function promote(code: string, reward: object, rule: object = {}) {
    const vals = {
      name: code,
      program_type: 'promo_code',
      trigger: 'with_code',
      applies_on: 'current',
      rule_ids: [[5], [0, 0, { mode: 'with_code', code, minimum_qty: 0, ...rule }]],
      reward_ids: [[5], [0, 0, { reward_type: 'discount', discount_mode: 'percent', ...reward }]],
    }
    programs.push(...(await desk.rpc.call(Ids, 'loyalty.program/create', { vals_list: [vals] }, createCall())))
  }

  function toDraft(reference: string, customerId: string, quote: Quote, quantities: readonly string[]): OrderDraft {
    const priced = quote.lines.map((line, i) => ({ ...line, quantity: quantities[i]!, tax: line.tax! }))
    const { lines, totals } = computeCartTotals(priced, priced[0]!.tax_included, 2)
    const template = createOrderDraft({
      reference,
      customerId,
      goods: { sku: priced[0]!.sku, uom: 'Units', unitPrice: '1.00' },
    })
    return {
      ...template,
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

  it(`have the totals of Odoo in ${CASES} orders (seed ${SEED})`, async () => {
    const customerId = String(await find('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    for (const [name, reward] of Object.entries(REWARDS))
      await promote(`${name}-${mark}`, { ...reward, discount_applicability: 'order' })
    let discounted = 0
    for (let n = 0; n < CASES; n += 1) {
      const skus = GOODS.filter(() => random.next() < 0.5)
      const lines = (skus.length === 0 ? GOODS : skus).map((sku, i) => ({
        line_id: `l${i}`,
        sku,
        quantity: String(1 + Math.floor(random.next() * 30)),
      }))
      const code = `${random.of(Object.keys(REWARDS)).toLowerCase()}-${mark}`
      const quote = await ports.pricing.quote!({ customerId, lines, codes: [code] }, createCall())
      expect(quote.promotions[0]).to.include({ status: 'APPLIED', code: code.toUpperCase() })
      const quantities = lines.map(({ quantity }) => quantity)
      const draft = toDraft(`ord_promo${mark}${n}`, customerId, quote, quantities)
      const placed = await ports.accounting.placeOrder!(draft, createCall())
      expect(placed, JSON.stringify(draft)).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
      if (placed.state !== 'placed') throw new Error('refused')
      expect(placed.order.totals).to.deep.equal(draft.totals)
      const ids = [Number(placed.order.order_id)]
      const fields = ['amount_total', 'amount_tax', 'note']
      const [sale] = await desk.rpc.call(Sales, 'sale.order/read', { ids, fields }, createCall())
      expect([sale!.amount_total.toFixed(2), sale!.amount_tax.toFixed(2)]).to.deep.equal([
        draft.totals.total,
        draft.totals.tax_total,
      ])
      expect(String(sale!.note)).to.include(code.toUpperCase())
      discounted += Number(draft.totals.discount_total) > 0 ? 1 : 0
      await ports.accounting.cancelOrder!(
        customerId,
        { reference: draft.reference },
        { reason: 'OTHER', note: null },
        createCall(),
      )
    }
    expect(discounted).to.equal(CASES)
  })

  it('discount some goods only, and staff see the percentage of each line', async () => {
    const customerId = String(await find('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    const category = await find('product.category', [['name', '=', 'Filters']])
    const reward = { discount: 10, discount_applicability: 'specific', discount_product_category_id: category }
    await promote(`SOME-${mark}`, reward, { minimum_qty: 4 })
    const lines = ['PAD-001', 'OFL-001', 'OIL-002'].map((sku, i) => ({ line_id: `l${i}`, sku, quantity: '2' }))
    const codes = [`SOME-${mark}`]
    const quote = await ports.pricing.quote!({ customerId, lines, codes }, createCall())
    expect(quote.lines.map(({ discount }) => Number(discount) > 0)).to.deep.equal([false, true, true])
    const few = await ports.pricing.quote!({ customerId, lines: lines.slice(1, 2), codes }, createCall())
    expect(few.promotions[0]).to.include({ status: 'NOT_APPLICABLE', reason: 'MINIMUM_NOT_MET' })
    const draft = toDraft(`ord_promo${mark}some`, customerId, quote, ['2', '2', '2'])
    const placed = await ports.accounting.placeOrder!(draft, createCall())
    if (placed.state !== 'placed') throw new Error(`refused: ${placed.reason}`)
    const args = { domain: [['order_id', '=', Number(placed.order.order_id)]], fields: ['discount', 'price_subtotal'] }
    const sold = await desk.rpc.call(Lines, 'sale.order.line/search_read', { ...args, order: 'id' }, createCall())
    expect(sold.map(({ discount }) => discount)).to.deep.equal([0, 10, 10])
  })

  it('take an amount with tax off, and give units for nothing', async () => {
    const customerId = String(await find('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    const product = await find('product.product', [['default_code', '=', 'OFL-001']])
    await promote(`LESS-${mark}`, { discount_mode: 'per_order', discount: 1_000, discount_applicability: 'order' })
    await promote(`FREE-${mark}`, { reward_type: 'product', reward_product_id: product, reward_product_qty: 2 })
    const lines = ['PAD-001', 'OFL-001', 'OIL-002'].map((sku, i) => ({ line_id: `l${i}`, sku, quantity: '3' }))
    const totalWith = async (...codes: string[]) => {
      const quote = await ports.pricing.quote!({ customerId, lines, codes }, createCall())
      const draft = toDraft(`ord_promo${mark}${codes.join()}`, customerId, quote, ['3', '3', '3'])
      const placed = await ports.accounting.placeOrder!(draft, createCall())
      expect(placed).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
      if (placed.state !== 'placed') throw new Error('refused')
      const { lines: ordered, totals, promotions } = placed.order
      expect({ lines: ordered, totals, promotions }).to.deep.equal({
        ...{ lines: draft.lines, totals: draft.totals, promotions: draft.promotions },
      })
      const cancel = { reason: 'OTHER', note: null }
      await ports.accounting.cancelOrder!(customerId, { reference: draft.reference }, cancel, createCall())
      return { ...quote, total: Number(totals.total) }
    }
    const [full, less, free] = [await totalWith(), await totalWith(`LESS-${mark}`), await totalWith(`FREE-${mark}`)]
    expect(full.total - less.total).to.be.closeTo(1_000, 0.03)
    const { unit_price, discount } = free.lines[1]!
    expect(Number(discount)).to.be.closeTo(2 * Number(unit_price), 0.001)
    expect(free.lines.map((line) => Number(line.discount) > 0)).to.deep.equal([false, true, false])
  })
})
