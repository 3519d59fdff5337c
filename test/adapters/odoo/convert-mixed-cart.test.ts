import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { combineTaxes, type TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'
import { convertMixedCart } from '../../../adapters/odoo/pricing/convert-mixed-cart.ts'
import type { PricedProduct } from '../../../adapters/odoo/pricing/priced-product.ts'
import { withoutMixedTax } from '../../../adapters/odoo/pricing/prices-without-tax.ts'
import { addTaxAmounts, quoteLines } from '../../../adapters/odoo/pricing/quote-lines.ts'
import { computeTaxes } from '../../../adapters/odoo/pricing/tax-amounts.ts'
import { computeCartTotals } from '../../../src/commands/carts/cart-totals.ts'
import { createSeededRandom } from '../../../src/sandbox/control/seeded-random.ts'

const row = (id: number, kind: TaxRow['kind'], amount: string, isIncluded = false): [number, TaxRow] => [
  id,
  {
    ...{ id, name: `T${id}`, label: `Tax ${id}`, kind, amount: new Decimal(amount), order: id, childIds: [] },
    ...{ isIncluded, affectsLater: false, isAffected: true },
  },
]
const taxes = new Map([
  row(1, 'percent', '15'),
  row(2, 'percent', '5.5', true),
  row(3, 'percent', '16.5', true),
  row(4, 'fixed', '2.15', true),
  row(5, 'percent', '0'),
])
const taxIds: Record<string, number[]> = { OUT: [1], IN: [3], BOTH: [1, 2], FEE: [3, 4], NONE: [5] }

interface CartLine {
  sku: string
  price: string
  quantity: string
}

/** Quotes a cart with percentages off by the index of a line, and computes its totals as a checkout does. */
function priceCart(lines: CartLine[], isGlobal = false, percents: Record<number, number> = {}) {
  const products = lines.map(
    ({ sku, price }): PricedProduct => ({
      ...{ sku, productId: 1, unitId: 1, isOnSale: true, listPrice: price, breaks: [] },
      tax: combineTaxes(taxIds[sku]!, taxes),
      priceAt: () => ({ amount: price, isRuled: false }),
    }),
  )
  const rounding = { isGlobal, digits: 2 }
  const numbered = lines.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))
  const quantities = new Map(numbered.map(({ line_id, quantity }) => [line_id, quantity]))
  const shares = new Map(Object.entries(percents).map(([id, percent]) => [id, String(percent)]))
  const pricing = { products, rounding }
  const quoted = quoteLines(numbered, products, '0.00').map((line) => {
    const gross = new Decimal(line.unit_price).times(quantities.get(line.line_id)!)
    const net = gross.times(100 - (percents[Number(line.line_id)] ?? 0)).div(100)
    return { ...line, discount: gross.toDecimalPlaces(2).minus(net.toDecimalPlaces(2)).toFixed(2) }
  })
  const applied = { lines: addTaxAmounts(quoted, quantities, shares, pricing), percents: shares, unitPrices: new Map() }
  const promotion = { code: 'SAVE', description: null, status: 'APPLIED' as const, reason: null, discount: '1.00' }
  const converted = convertMixedCart({ ...applied, promotions: [promotion] }, quantities, pricing)
  const totalsLines = converted.lines.map((line) => ({
    ...line,
    tax: line.tax!,
    quantity: quantities.get(line.line_id)!,
  }))
  const isIncluded = converted.lines.some(({ tax_included }) => tax_included)
  return { ...converted, totals: computeCartTotals(totalsLines, isIncluded, 2).totals }
}

describe('odoo: a cart with prices with tax and without it', () => {
  it('has the amounts of a test of Odoo (test_random_case_3), as a price without tax', () => {
    const { lines, totals, unitPrices } = priceCart([{ sku: 'BOTH', price: '2300.00', quantity: '1' }])
    expect(lines).to.deep.equal([
      {
        ...{ line_id: '0', sku: 'BOTH', unit_price: '2180.09', list_unit_price: '2180.09', price_type: 'LIST' },
        ...{ tax_included: false, discount: '0.00' },
        tax: { code: 'T1+T2', name: 'Tax 1, Tax 2', rate: '0.205', amount: '446.92' },
      },
    ])
    expect(totals).to.deep.include({ subtotal: '2180.09', tax_total: '446.92', total: '2627.01', tax_included: false })
    expect([...unitPrices]).to.deep.equal([['0', '2300.00']])
  })

  it('has products whose prices are shown without tax, if only some of it is included', () => {
    const product = (sku: string): PricedProduct => ({
      ...{ sku, productId: 1, unitId: 1, isOnSale: true, listPrice: '2300.00', breaks: [] },
      tax: combineTaxes(taxIds[sku]!, taxes),
      priceAt: () => ({ amount: '1150.00', isRuled: true }),
    })
    const shown = (sku: string) => {
      const { listPrice, priceAt } = withoutMixedTax(product(sku), 2)
      return [listPrice, priceAt(1)]
    }
    expect(shown('BOTH')).to.deep.equal(['2180.09', { amount: '1090.05', isRuled: true }])
    expect(shown('IN')).to.deep.equal(['2300.00', { amount: '1150.00', isRuled: true }])
    expect(withoutMixedTax({ ...product('BOTH'), listPrice: null, priceAt: () => null }, 2)).to.include({
      listPrice: null,
    })
  })

  it('keeps prices without tax, and takes the tax out of the others', () => {
    const cart = [
      { sku: 'OUT', price: '10.00', quantity: '3' },
      { sku: 'IN', price: '9.99', quantity: '3' },
      { sku: 'NONE', price: '1.00', quantity: '1' },
    ]
    const { lines, totals } = priceCart(cart)
    // 29.97 with 16.5 % is 25.73 and 4.24.
    expect(lines.map(({ unit_price, tax_included, tax }) => [unit_price, tax_included, tax!.amount])).to.deep.equal([
      ['10.00', false, '4.50'],
      ['8.576667', false, '4.24'],
      ['1.00', false, '0.00'],
    ])
    expect(totals).to.deep.include({ subtotal: '56.73', tax_total: '8.74', total: '65.47', tax_included: false })
  })

  it('has the discount without tax, also in its promotion', () => {
    const cart = [
      { sku: 'OUT', price: '10.00', quantity: '1' },
      { sku: 'IN', price: '116.50', quantity: '1' },
    ]
    const { lines, promotions, totals } = priceCart(cart, false, { 0: 10, 1: 10 })
    expect(lines.map(({ discount }) => discount)).to.deep.equal(['1.00', '10.00'])
    expect(promotions[0]).to.include({ discount: '11.00' })
    expect(totals).to.include({ subtotal: '110.00', discount_total: '11.00', tax_total: '16.20', total: '115.20' })
  })

  it('leaves other carts as they are', () => {
    for (const sku of ['OUT', 'IN', 'FEE']) {
      const { lines, unitPrices, promotions } = priceCart([
        { sku, price: '9.99', quantity: '3' },
        { sku: 'NONE', price: '1.00', quantity: '1' },
      ])
      expect(lines.map(({ unit_price }) => unit_price)).to.deep.equal(['9.99', '1.00'])
      expect([unitPrices.size, promotions[0]!.discount]).to.deep.equal([0, '1.00'])
    }
  })

  it('leaves out a line whose amount without tax is below zero', () => {
    const cart = [
      { sku: 'FEE', price: '3.00', quantity: '1' },
      { sku: 'OUT', price: '3.00', quantity: '1' },
    ]
    expect(priceCart(cart, false, { 0: 90 }).lines.map(({ sku }) => sku)).to.deep.equal(['OUT'])
  })

  for (const isGlobal of [false, true])
    it(`costs what Odoo computes for its lines, with rounding ${isGlobal ? 'over the document' : 'of each line'}`, () => {
      const random = createSeededRandom(Number(process.env.SEED ?? 7))
      const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
      for (let made = 0; made < 300; made += 1) {
        const skus = ['OUT', 'IN', 'BOTH', 'FEE', 'NONE'].slice(0, between(2, 5))
        const percent = between(0, 1) * between(1, 60)
        const lines = skus.map((sku) => ({
          sku,
          price: (between(1_000, 99_999) / 100).toFixed(2),
          quantity: String(between(1, 99)),
        }))
        const { totals } = priceCart(lines, isGlobal, { 0: percent, 1: percent })
        expect(totals, JSON.stringify(lines)).to.include(computeOdooTotals(lines, isGlobal, { 0: percent, 1: percent }))
      }
    })
})

/** Odoo's totals of a document: with rounding over the document, the amount without tax and each tax are rounded once. */
function computeOdooTotals(lines: CartLine[], isGlobal: boolean, percents: Record<number, number>) {
  const round = (amount: Decimal) => amount.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
  const byTax = new Map<number, Decimal>()
  let net = new Decimal(0)
  for (const [i, { sku, price, quantity }] of lines.entries()) {
    const { terms } = combineTaxes(taxIds[sku]!, taxes)!
    const discounted = new Decimal(price).times(100 - (percents[i] ?? 0)).div(100)
    const computed = computeTaxes(terms, discounted, quantity, isGlobal ? (amount) => amount : round)
    net = net.plus(computed.net)
    for (const [t, { id }] of terms.entries())
      byTax.set(id, (byTax.get(id) ?? new Decimal(0)).plus(computed.amounts[t]!))
  }
  const tax = [...byTax.values()].map(round).reduce((sum, amount) => sum.plus(amount), new Decimal(0))
  return { tax_total: tax.toFixed(2), total: round(net).plus(tax).toFixed(2) }
}
