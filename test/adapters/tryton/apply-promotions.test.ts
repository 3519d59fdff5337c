import { expect } from 'chai'
import { applyPromotions, type PromotionSale } from '../../../adapters/tryton/pricing/apply-promotions.ts'
import type { PromotionRow } from '../../../adapters/tryton/pricing/promotion-and-coupon-reader.ts'
import { convertQuantity } from '../../../adapters/tryton/pricing/units-of-measure.ts'
import { dozen, line, row, sold, UNIT, unit } from './promotion-fixture.ts'

const pricesOf = (all: ReturnType<typeof row>[], of: PromotionSale, coupons: number[] = []) =>
  [...applyPromotions(all, new Set(coupons), of).prices.values()].map(({ price }) => price)

describe('tryton: promotions', () => {
  it('apply one after the other by id, each on the original price unless the current one is lower', () => {
    const all = [row(3, 'unit_price * 0.95'), row(1, 'unit_price * 0.9'), row(2, 'unit_price - 12.345678')]
    expect(pricesOf(all, sold([line('a', '100.00'), line('b', '200.00')]))).to.deep.equal(['87.6543', '180'])
  })

  it('never give a negative price, and skip free lines', () => {
    expect(pricesOf([row(1, 'unit_price - 500'), row(2, 'Decimal(0)')], sold([line('a', '100.00')]))).to.deep.equal([
      '0',
    ])
  })

  it('match products, categories, units, price lists and dates', () => {
    const lines = [
      line('a', '10.00'),
      line('b', '10.00', { product: 2, categories: [20] }),
      line('c', '10.00', { unit: 3 }),
    ]
    const half = (change: Partial<PromotionRow>, more = {}) =>
      pricesOf([row(1, 'unit_price / 2', change)], sold(lines, more))
    expect(half({ products: [2] })).to.deep.equal(['10.00', '5', '10.00'])
    expect(half({ categories: [1] })).to.deep.equal(['5', '10.00', '5'])
    expect(half({ unit: UNIT, quantity: 4 })).to.deep.equal(['5', '5', '10.00'])
    expect(half({ unit: UNIT, quantity: 5 })).to.deep.equal(['10.00', '10.00', '10.00'])
    expect(half({ price_list: 7 })[0]).to.equal('10.00')
    expect(half({ price_list: 7 }, { priceList: 7 })[0]).to.equal('5')
    const [then, now, later] = [20, 21, 22].map((day) => ({ year: 2026, month: 11, day }))
    expect(half({ start_date: now!, end_date: now! })[0]).to.equal('5')
    for (const gone of [{ end_date: then! }, { start_date: later! }, { active: false }] as Partial<PromotionRow>[])
      expect(half(gone)[0]).to.equal('10.00')
  })

  it('require an amount with or without tax', () => {
    const asked = (amount: string, untaxed_amount: boolean) =>
      pricesOf(
        [row(1, 'unit_price / 2', { amount: { decimal: amount }, untaxed_amount, 'currency.': { code: 'JMD' } })],
        sold([line('a', '10.00')]),
      )
    expect([asked('230', false), asked('230', true), asked('200.01', true), asked('200', true)].flat()).to.deep.equal([
      '5',
      '10.00',
      '10.00',
      '5',
    ])
  })

  it('without a coupon do not apply to a sale with one', () => {
    const all = [row(1, 'unit_price * 0.5'), row(2, 'unit_price * 0.9', { coupons: [2] })]
    expect([pricesOf(all, sold([line('a', '10.00')])), pricesOf(all, sold([line('a', '10.00')]), [2])]).to.deep.equal([
      ['5'],
      ['9'],
    ])
  })

  it('that cannot be computed leave only their lines without a price', () => {
    const lines = [line('a', '10.00'), line('b', '10.00', { product: 2 }), line('c', '100.00', { product: 3 })]
    const of = (...all: ReturnType<typeof row>[]) => [...applyPromotions(all, new Set(), sold(lines)).uncomputableLines]
    expect(of(row(1, 'unit_price ** 0.9', { products: [2] }))).to.deep.equal(['b'])
    expect(of(row(1, '5 / (unit_price - 100)'))).to.deep.equal(['c'])
    const dollars = { amount: { decimal: '1' }, 'currency.': { code: 'USD' } }
    expect(of(row(1, 'unit_price', { ...dollars, products: [1] }))).to.deep.equal(['a'])
    expect(of(row(1, 'unit_price ** 0.9', { price_list: 9 }))).to.deep.equal([])
  })

  it('convert quantities as Tryton does', () => {
    expect([
      convertQuantity(18, unit, dozen),
      convertQuantity(1.5, dozen, unit),
      convertQuantity(0, unit, dozen),
      convertQuantity(7, unit, dozen),
    ]).to.deep.equal([1.5, 18, 0, 0.58])
  })
})
