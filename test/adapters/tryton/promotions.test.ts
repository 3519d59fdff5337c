import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { computeLineDiscount } from '../../../adapters/tryton/pricing/line-discount.ts'
import { applyPromotionCodes } from '../../../adapters/tryton/pricing/promotion-codes.ts'
import { parsePromotionFormula } from '../../../adapters/tryton/pricing/promotion-formula.ts'
import { toPromotion } from '../../../adapters/tryton/pricing/promotion-quotes.ts'
import type { CouponRow, PromotionRow } from '../../../adapters/tryton/pricing/promotion-reader.ts'
import { applyPromotions, type PromotionSale } from '../../../adapters/tryton/pricing/promotion-rules.ts'
import { convertQuantity, type UnitOfMeasure } from '../../../adapters/tryton/pricing/unit-conversion.ts'
import { roundUnitPrice } from '../../../adapters/tryton/pricing/unit-price.ts'
import type { Order } from '../../../src/ports/order.ts'
import { replayCall } from './replay.ts'

const UNIT = 1
const unit: UnitOfMeasure = { id: UNIT, category: 1, factor: 1, rate: 1, rounding: 1 }
const dozen: UnitOfMeasure = { id: 2, category: 1, factor: 12, rate: 1 / 12, rounding: 0.01 }
const litre: UnitOfMeasure = { id: 3, category: 2, factor: 0.001, rate: 1000, rounding: 0.01 }
const units = new Map([unit, dozen, litre].map((one) => [one.id, one]))

function row(id: number, formula: string, change: Partial<PromotionRow> = {}) {
  const none = {
    start_date: null,
    end_date: null,
    price_list: null,
    amount: null,
    untaxed_amount: null,
    'currency.': null,
  }
  const all = { quantity: null, unit: null, products: [], categories: [], coupons: [] }
  return toPromotion({ id, name: `P${id}`, active: true, formula, ...none, ...all, ...change }, 'JMD')
}

const line = (line_id: string, price: string, change = {}) => ({
  ...{ line_id, sku: line_id, product: 1, categories: [10, 1], quantity: '2', unit: UNIT, price, formulaPrice: price },
  ...change,
})
const sold = (lines: PromotionSale['lines'], change: Partial<PromotionSale> = {}): PromotionSale => ({
  ...{ lines, today: '2026-11-21', priceList: null, units, untaxed: new Decimal(200), total: new Decimal(230) },
  ...change,
})
const pricesOf = (all: ReturnType<typeof row>[], of: PromotionSale, coupons: number[] = []) =>
  [...applyPromotions(all, new Set(coupons), of).prices.values()].map(({ price }) => price)
const code = (number: string, promotion: ReturnType<typeof row>, change: Partial<CouponRow> = {}) => {
  const coupon = { id: promotion.row.id, number_of_use: 0, per_party: null, promotion: promotion.row.id }
  return { promotion, coupon: { id: 1, number, active: true, 'coupon.': coupon, ...change } }
}
const reasonsOf = (
  codes: Parameters<typeof applyPromotionCodes>[0],
  all: ReturnType<typeof row>[],
  of: PromotionSale,
) => applyPromotionCodes(codes, all, of, (line, price) => computeLineDiscount(line, price, 2)).reasons

describe("tryton: a promotion's formula", () => {
  const file = new URL('../../../fixtures/tryton-formulas.json', import.meta.url)
  const table = JSON.parse(readFileSync(file, 'utf8')) as { formula: string; prices: Record<string, string> | null }[]

  it('comes to what a real Tryton made of it, or is not understood', () => {
    const counted = table.map(({ formula, prices }) => {
      const known = parsePromotionFormula(formula)
      const ours =
        known && prices && Object.fromEntries(Object.keys(prices).map((price) => [price, roundUnitPrice(known(price))]))
      return { formula, prices: ours }
    })
    const there = table.map(({ formula, prices }) => {
      const plain = prices && Object.entries(prices).map(([price, made]) => [price, new Decimal(made).toFixed()])
      return { formula, prices: parsePromotionFormula(formula) ? plain && Object.fromEntries(plain) : null }
    })
    expect(counted).to.deep.equal(there)
    expect(table.filter(({ formula, prices }) => prices && parsePromotionFormula(formula))).to.have.length.above(25)
  })

  it('is not understood when it says more than arithmetic', () => {
    for (const formula of [
      ...['unit_price if unit_price > 5 else 5', 'unit_price ** 2', 'unit_price // 3', 'unit_price % 3', 'cost_price'],
      ...['min(unit_price, 5)', 'round(unit_price)', 'unit_price.sqrt()', 'unit_price.__class__', '[unit_price][0]'],
      ...[
        'unit_price, 3',
        'unit_price; 3',
        'unit_price # half',
        'unit_price\n/ 2',
        '',
        '(',
        'this',
        "'5'",
        'Decimal(" 5 ")',
      ],
      ...['unit_price == 5', 'true', '0x10', '1_000', "Decimal('NaN')", "Decimal('5', '6')", 'unit_price["min"](5)'],
      `${'('.repeat(5_000)}unit_price${')'.repeat(5_000)}`,
    ])
      expect(parsePromotionFormula(formula), formula).to.equal(null)
  })

  it('has no result where Tryton has none', () => {
    expect(() => parsePromotionFormula('5 / (unit_price - 100)')!('100')).to.throw('no number')
    expect(() => parsePromotionFormula("(unit_price * 1e25).quantize(Decimal('0.0001'))")!('100')).to.throw(
      'too many digits',
    )
  })
})

describe('tryton: promotions', () => {
  it('follow each other by id, each where it is not above what is there, and out from the first price', () => {
    const all = [row(3, 'unit_price * 0.95'), row(1, 'unit_price * 0.9'), row(2, 'unit_price - 12.345678')]
    expect(pricesOf(all, sold([line('a', '100.00'), line('b', '200.00')]))).to.deep.equal(['87.6543', '180'])
  })

  it('never make a price that is below 0, and leave alone what costs nothing', () => {
    expect(pricesOf([row(1, 'unit_price - 500'), row(2, 'Decimal(0)')], sold([line('a', '100.00')]))).to.deep.equal([
      '0',
    ])
  })

  it('are for products, for what lies below categories, for units of one kind, for a list and for days', () => {
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

  it('ask for an amount with tax or without', () => {
    const asked = (amount: string, untaxed_amount: boolean) =>
      pricesOf(
        [row(1, 'unit_price / 2', { amount: { decimal: amount }, untaxed_amount, 'currency.': { code: 'JMD' } })],
        sold([line('a', '10.00')]),
      )
    expect([asked('230', false), asked('230', true), asked('200.01', true), asked('200', true)].flat()).to.deep.equal([
      ...['5', '10.00', '10.00', '5'],
    ])
  })

  it('without a coupon are not for a sale with one', () => {
    const all = [row(1, 'unit_price * 0.5'), row(2, 'unit_price * 0.9', { coupons: [2] })]
    expect([pricesOf(all, sold([line('a', '10.00')])), pricesOf(all, sold([line('a', '10.00')]), [2])]).to.deep.equal([
      ['5'],
      ['9'],
    ])
  })

  it('that nobody can count leave their lines without a price, and no other line', () => {
    const lines = [line('a', '10.00'), line('b', '10.00', { product: 2 }), line('c', '100.00', { product: 3 })]
    const of = (...all: ReturnType<typeof row>[]) => [...applyPromotions(all, new Set(), sold(lines)).doubtful]
    expect(of(row(1, 'unit_price ** 0.9', { products: [2] }))).to.deep.equal(['b'])
    expect(of(row(1, '5 / (unit_price - 100)'))).to.deep.equal(['c'])
    const dollars = { amount: { decimal: '1' }, 'currency.': { code: 'USD' } }
    expect(of(row(1, 'unit_price', { ...dollars, products: [1] }))).to.deep.equal(['a'])
    expect(of(row(1, 'unit_price ** 0.9', { price_list: 9 }))).to.deep.equal([])
  })

  it('count quantities in other units as Tryton does', () => {
    expect([
      convertQuantity(18, unit, dozen),
      convertQuantity(1.5, dozen, unit),
      convertQuantity(0, unit, dozen),
      convertQuantity(7, unit, dozen),
    ]).to.deep.equal([...[1.5, 18, 0, 0.58]])
  })
})

describe('tryton: codes', () => {
  const ten = row(1, 'unit_price * 0.9', { coupons: [1] })
  const twenty = row(2, 'unit_price * 0.8', { coupons: [2], products: [2] })
  const both = sold([line('a', '100.00'), line('b', '100.00', { product: 2 })])

  it('say why they are of no use', () => {
    const amount = { amount: { decimal: '1000' }, 'currency.': { code: 'JMD' } }
    const said = (change: Partial<PromotionRow>, coupon = {}) => {
      const promotion = row(1, 'unit_price * 0.9', { coupons: [1], ...change })
      return reasonsOf([code('A', promotion, coupon)], [promotion], both)[0]
    }
    expect(reasonsOf([{ coupon: null, promotion: undefined }], [], both)).to.deep.equal(['UNKNOWN_CODE'])
    expect(said({ formula: 'cost_price' })).to.equal('UNKNOWN_CODE')
    expect(said({ end_date: { year: 2026, month: 11, day: 20 } })).to.equal('EXPIRED')
    expect(said({ start_date: { year: 2026, month: 11, day: 22 } })).to.equal('NOT_STARTED')
    expect(said({}, { active: false })).to.equal('LIMIT_REACHED')
    expect(said({ price_list: 5 })).to.equal('CUSTOMER_NOT_ELIGIBLE')
    expect(said({ products: [9] })).to.equal('NO_ELIGIBLE_LINES')
    expect(said({ formula: 'unit_price * 2' })).to.equal('NO_ELIGIBLE_LINES')
    expect(said(amount)).to.equal('MINIMUM_NOT_MET')
    expect(said({})).to.equal(null)
  })

  it('go together where each takes something off', () => {
    expect(reasonsOf([code('A', ten), code('B', twenty)], [ten, twenty], both)).to.deep.equal([null, null])
    expect(reasonsOf([code('A', ten), code('A2', ten)], [ten], both)).to.deep.equal([null, 'NOT_COMBINABLE'])
    // One that is used up takes no other's place.
    const used = code('A', ten, { active: false })
    expect(reasonsOf([used, code('A2', ten)], [ten], both)).to.deep.equal(['LIMIT_REACHED', null])
    const five = row(3, 'unit_price * 0.95', { coupons: [3] })
    expect(reasonsOf([code('C', five), code('A', ten)], [ten, five], both)).to.deep.equal(['NOT_COMBINABLE', null])
  })

  it('are not taken where the shop gives more without any', () => {
    const gift = row(4, 'unit_price * 0.5')
    const { reasons, promoted } = applyPromotionCodes([code('A', ten)], [ten, gift], both, (line, price) =>
      computeLineDiscount(line, price, 2),
    )
    expect(reasons).to.deep.equal(['NOT_COMBINABLE'])
    expect([...promoted.prices.values()].map(({ price }) => price)).to.deep.equal(['50', '50'])
  })
})

describe('tryton: promotions of a recorded server', () => {
  it('apply by themselves, by codes, and together', async () => {
    const { unasked, welcome, together, refused } = (await replayCall('promotions')).answer
    const off = ({ lines }: typeof unasked) => lines.map(({ discount }) => discount)
    const said = ({ promotions }: typeof unasked) =>
      promotions.map(({ code, reason, discount }) => [code, reason, discount])
    expect(off(unasked)).to.deep.equal(['849.15', '0.00', '0.00'])
    expect([off(welcome), said(welcome)]).to.deep.equal([
      ['1698.30', '2535.00', '2490.00'],
      [['WELCOME10', null, '6723.30']],
    ])
    expect(off(together)).to.deep.equal(['1698.30', '3802.50', '2490.00'])
    expect(said(together)).to.deep.equal([
      ['WELCOME10', null, '4188.30'],
      ['PADS15', null, '3802.50'],
      ['LASTONE', 'NOT_COMBINABLE', '0.00'],
    ])
    expect(refused.promotions.map(({ reason }) => reason)).to.deep.equal([
      ...['EXPIRED', 'NOT_STARTED', 'CUSTOMER_NOT_ELIGIBLE', 'UNKNOWN_CODE', 'UNKNOWN_CODE'],
    ])
    expect(off(refused)).to.deep.equal(off(unasked))
  })

  it('are part of the order, once as often as they may, and free again when it is cancelled', async () => {
    const { draft, placed, late, cancelled, again } = (await replayCall('discounted')).answer
    const { lines, promotions, totals } = (placed as { order: Order }).order
    expect({ lines, promotions, totals }).to.deep.equal({
      lines: draft.lines,
      promotions: draft.promotions,
      totals: draft.totals,
    })
    expect(promotions).to.deep.equal([{ code: 'LASTONE', description: 'The last one', discount: '1501.50' }])
    expect(late).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    expect(cancelled).to.include({ state: 'cancelled' })
    expect(again.promotions[0]).to.include({ status: 'APPLIED' })
  })
})
