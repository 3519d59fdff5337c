import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { createAmountFormatter } from '../../../adapters/decimal-format.ts'
import { combineTaxes, type TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'
import type { Pricing } from '../../../adapters/odoo/pricing/price-reader.ts'
import type { PricedProduct } from '../../../adapters/odoo/pricing/priced-product.ts'
import { createPromotionQuotes } from '../../../adapters/odoo/pricing/promotion-code-quotes.ts'
import type { PromotionRule } from '../../../adapters/odoo/pricing/promotion-rules.ts'
import { computeTaxes } from '../../../adapters/odoo/pricing/tax-amounts.ts'
import { computeCartTotals } from '../../../src/commands/carts/cart-totals.ts'
import { createSeededRandom } from '../../../src/sandbox/control/seeded-random.ts'
import { createCall } from '../../support/create-call.ts'
import { recordedFacts } from './calls-to-record.ts'
import { ruleWithReward } from './promotion-fixture.ts'

const row = (id: number, amount: string, isIncluded = false): [number, TaxRow] => [
  id,
  {
    ...{ id, name: `T${id}`, label: `Tax ${id}`, kind: 'percent', amount: new Decimal(amount), order: id },
    ...{ childIds: [], isIncluded, affectsLater: false, isAffected: true },
  },
]
const taxes = new Map([row(1, '15'), row(2, '5.5', true), row(3, '16.5', true), row(5, '0')])
const taxIds: Record<string, number[]> = { OUT: [1], IN: [3], BOTH: [1, 2], NONE: [5] }
const ids = Object.keys(taxIds)

interface CartLine {
  sku: string
  price: string
  quantity: string
}

/** Quotes a cart with a code, in an Odoo with this rule. */
async function quote(cart: CartLine[], rule: PromotionRule, { isGlobal = false, hasJson2 = true } = {}) {
  const products = cart.map(
    ({ sku, price }): PricedProduct => ({
      ...{ sku, productId: ids.indexOf(sku) + 1, unitId: 1, isOnSale: true, listPrice: price, breaks: [] },
      tax: combineTaxes(taxIds[sku]!, taxes),
      priceAt: () => ({ amount: price, isRuled: false }),
    }),
  )
  const rpc = {
    search: async () => ({ length: 1, records: [rule] }),
    call: async (_: unknown, __: string, { domain }: { domain: [string, string, number[]][] }) =>
      domain.map(([, , found]) => found).reduce((all, found) => all.filter((id) => found.includes(id))),
    hasJson2: () => hasJson2,
  }
  type Context = Parameters<typeof createPromotionQuotes>[0]
  const context = { rpc, settings: {}, facts: recordedFacts, formatAmount: createAmountFormatter('JMD') }
  const lines = cart.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))
  const pricing = { products, priceListId: null, rounding: { isGlobal, digits: 2 } } as unknown as Pricing
  const quoted = await createPromotionQuotes(context as unknown as Context)(
    { lines, codes: ['save10'] },
    pricing,
    createCall(),
  )
  const priced = quoted.lines.map((line) => ({
    ...line,
    tax: line.tax!,
    quantity: cart[Number(line.line_id)]!.quantity,
  }))
  const isIncluded = priced.some(({ tax_included }) => tax_included)
  return { ...quoted, totals: computeCartTotals(priced, isIncluded, 2).totals }
}

/** Odoo's totals of an order with these percentages and prices of its lines. */
function computeOdooTotals(
  cart: CartLine[],
  { percents, unitPrices }: Pick<Awaited<ReturnType<typeof quote>>, 'percents' | 'unitPrices'>,
  isGlobal: boolean,
) {
  const round = (amount: Decimal) => amount.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
  const byTax = new Map<number, Decimal>()
  let net = new Decimal(0)
  for (const [i, { sku, price, quantity }] of cart.entries()) {
    const { terms } = combineTaxes(taxIds[sku]!, taxes)!
    const share = new Decimal(100).minus(percents.get(String(i)) ?? 0).div(100)
    const own = share.times(unitPrices.get(String(i)) ?? price)
    const computed = computeTaxes(terms, own, quantity, isGlobal ? (amount) => amount : round)
    net = net.plus(computed.net)
    for (const [t, { id }] of terms.entries())
      byTax.set(id, (byTax.get(id) ?? new Decimal(0)).plus(computed.amounts[t]!))
  }
  const tax = [...byTax.values()].map(round).reduce((sum, amount) => sum.plus(amount), new Decimal(0))
  return { tax_total: tax.toFixed(2), total: round(net).plus(tax).toFixed(2) }
}

const rewards = {
  'an amount': ruleWithReward({ discount_mode: 'per_order', discount: 1_234.56 }),
  'a percentage with a maximum': ruleWithReward({ discount: 12.345, discount_max_amount: 2_000 }),
  'a free product': ruleWithReward({ reward_type: 'product', reward_product_ids: [1], reward_product_qty: 2 }),
}

describe('odoo: a cart with a promotion code', () => {
  for (const [name, rule] of Object.entries(rewards))
    for (const isGlobal of [false, true])
      it(`for ${name} costs what Odoo computes, with rounding ${isGlobal ? 'over the document' : 'of each line'}`, async () => {
        const random = createSeededRandom(Number(process.env.SEED ?? 7))
        const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
        for (let made = 0; made < 100; made += 1) {
          const skus = [['OUT', 'NONE'], ['OUT'], ['IN', 'NONE'], ['OUT', 'IN', 'BOTH']][between(0, 3)]!
          const cart = skus.map((sku) => ({
            sku,
            price: (between(1_000, 99_999) / 100).toFixed(2),
            quantity: String(between(1, 99)),
          }))
          const quoted = await quote(cart, rule, { isGlobal })
          expect(quoted.totals, JSON.stringify(cart)).to.include(computeOdooTotals(cart, quoted, isGlobal))
        }
      })

  it('takes the amount off what it costs with tax', async () => {
    const cart = [
      { sku: 'OUT', price: '1000.00', quantity: '3' },
      { sku: 'NONE', price: '500.00', quantity: '1' },
    ]
    const { totals, promotions } = await quote(cart, ruleWithReward({ discount_mode: 'per_order', discount: 395 }))
    // 3,450.00 and 500.00, with a tenth off.
    expect(totals).to.include({ subtotal: '3500.00', discount_total: '350.00', tax_total: '405.00', total: '3555.00' })
    expect(promotions).to.deep.equal([
      { code: 'SAVE10', description: '10% on your order', status: 'APPLIED', reason: null, discount: '350.00' },
    ])
  })

  it('has no such discount in an Odoo that rounds the price of a unit', async () => {
    const cart = [{ sku: 'OUT', price: '1000.00', quantity: '3' }]
    for (const rule of Object.values(rewards)) {
      const { promotions } = await quote(cart, rule, { hasJson2: false })
      expect(promotions[0]).to.include({ status: 'NOT_APPLICABLE', reason: 'UNKNOWN_CODE' })
    }
    const { promotions } = await quote(cart, ruleWithReward({ discount: 12.34 }), { hasJson2: false })
    expect(promotions[0]).to.include({ status: 'APPLIED' })
  })

  it('has a free product only with that product', async () => {
    const cart = [{ sku: 'IN', price: '1000.00', quantity: '3' }]
    const { promotions } = await quote(cart, rewards['a free product'])
    expect(promotions[0]).to.include({ status: 'NOT_APPLICABLE', reason: 'NO_ELIGIBLE_LINES' })
  })
})
