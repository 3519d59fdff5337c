import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import {
  computePrice,
  findBreaks,
  type PriceRule,
  type RuledProduct,
} from '../../../adapters/odoo/pricing/price-rules.ts'

const blank: PriceRule = {
  id: 1,
  priceListId: 1,
  currencyId: 1,
  appliesTo: '3_global',
  categoryId: null,
  templateId: null,
  productId: null,
  minQuantity: 0,
  startsAt: null,
  endsAt: null,
  method: 'fixed',
  base: 'list_price',
  basePriceListId: null,
  fixedPrice: 0,
  percentOff: 0,
  discount: 0,
  markup: 0,
  roundTo: 0,
  surcharge: 0,
  minMargin: 0,
  maxMargin: 0,
}
const rule = (change: Partial<PriceRule>): PriceRule => ({ ...blank, ...change })
const product: RuledProduct = { id: 7, templateId: 5, categoryIds: new Set([1, 3]), listPrice: 100, cost: 40 }
const NOW = Date.parse('2026-11-23T12:00:00Z')

const price = (rules: PriceRule[], quantity = 1, of = product) => {
  const lists = Map.groupBy(rules, ({ priceListId }) => priceListId)
  return computePrice(lists, 1, of, new Decimal(quantity), NOW).price?.toFixed()
}

describe('odoo: price rules', () => {
  it('takes the first rule that applies, in the order of the list', () => {
    const rules = [
      rule({ appliesTo: '0_product_variant', productId: 8, fixedPrice: 1 }),
      rule({ appliesTo: '1_product', templateId: 5, fixedPrice: 2 }),
      rule({ appliesTo: '3_global', fixedPrice: 3 }),
    ]
    expect(price(rules)).to.equal('2')
    expect(price(rules, 1, { ...product, id: 8 })).to.equal('1')
    expect(price(rules, 1, { ...product, templateId: 6 })).to.equal('3')
    expect(price([])).to.equal('100')
  })

  it('has no price by a list that is based on one in another currency', () => {
    const based = rule({ method: 'percentage', percentOff: 10, base: 'pricelist', basePriceListId: 2 })
    const own = rule({ priceListId: 2, fixedPrice: 80 })
    expect(price([based, own])).to.equal('72')
    expect(price([based, { ...own, currencyId: 2 }])).to.equal(undefined)
    expect(
      price([
        { ...based, basePriceListId: 3 },
        { ...based, priceListId: 3 },
        { ...own, currencyId: 2 },
      ]),
    ).to.equal(undefined)
  })

  it('applies a rule of a category to the categories below it', () => {
    const rules = [rule({ appliesTo: '2_product_category', categoryId: 1, fixedPrice: 9 })]
    expect(price(rules)).to.equal('9')
    expect(price(rules, 1, { ...product, categoryIds: new Set([2]) })).to.equal('100')
  })

  it('applies a rule from its first to its last moment', () => {
    expect(price([rule({ startsAt: NOW, endsAt: NOW, fixedPrice: 9 })])).to.equal('9')
    expect(price([rule({ startsAt: NOW + 1, fixedPrice: 9 })])).to.equal('100')
    expect(price([rule({ endsAt: NOW - 1, fixedPrice: 9 })])).to.equal('100')
  })

  it('takes a percentage off', () => {
    expect(price([rule({ method: 'percentage', percentOff: 12.5 })])).to.equal('87.5')
  })

  it('discounts, rounds half up, adds, and keeps within the margins, in this order', () => {
    const formula = { method: 'formula', discount: 7.49, roundTo: 5, surcharge: -0.01 } as const
    expect(price([rule(formula)])).to.equal('94.99')
    expect(price([rule({ ...formula, minMargin: 1, maxMargin: 2 })])).to.equal('101')
    expect(price([rule({ ...formula, discount: -50, maxMargin: 2 })])).to.equal('102')
    expect(price([rule({ method: 'formula', discount: 2.5, roundTo: 5 })])).to.equal('100')
  })

  it('adds a markup to the cost', () => {
    expect(price([rule({ method: 'formula', base: 'standard_price', markup: 35, discount: 90 })])).to.equal('54')
  })

  it('is based on another list at the same quantity', () => {
    const rules = [
      rule({ method: 'formula', base: 'pricelist', basePriceListId: 2, discount: 10 }),
      rule({ priceListId: 2, minQuantity: 10, fixedPrice: 50 }),
      rule({ priceListId: 2, fixedPrice: 60 }),
    ]
    expect([price(rules), price(rules, 10)]).to.deep.equal(['54', '45'])
  })

  it('ends for a list that is based on itself', () => {
    expect(price([rule({ method: 'percentage', base: 'pricelist', basePriceListId: 1 })])).to.equal('100')
  })

  it('finds the quantities of a list and of those below it', () => {
    const rules = [
      rule({ minQuantity: 24, base: 'pricelist', basePriceListId: 2 }),
      rule({ priceListId: 2, minQuantity: 10 }),
      rule({ priceListId: 2, minQuantity: 50, appliesTo: '1_product', templateId: 6 }),
    ]
    const lists = Map.groupBy(rules, ({ priceListId }) => priceListId)
    expect(findBreaks(lists, 1, product, NOW)).to.deep.equal([10, 24])
  })
})
