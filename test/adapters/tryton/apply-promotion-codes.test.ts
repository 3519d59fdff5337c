import { expect } from 'chai'
import { applyPromotionCodes } from '../../../adapters/tryton/pricing/apply-promotion-codes.ts'
import type { PromotionSale } from '../../../adapters/tryton/pricing/apply-promotions.ts'
import { computeLineDiscount } from '../../../adapters/tryton/pricing/line-discount.ts'
import type { CouponRow, PromotionRow } from '../../../adapters/tryton/pricing/promotion-and-coupon-reader.ts'
import { line, row, sold } from './promotion-fixture.ts'

const code = (number: string, promotion: ReturnType<typeof row>, change: Partial<CouponRow> = {}) => {
  const coupon = { id: promotion.row.id, number_of_use: 0, per_party: null, promotion: promotion.row.id }
  return { promotion, coupon: { id: 1, number, active: true, 'coupon.': coupon, ...change } }
}

const reasonsOf = (
  codes: Parameters<typeof applyPromotionCodes>[0],
  all: ReturnType<typeof row>[],
  of: PromotionSale,
) => applyPromotionCodes(codes, all, of, (line, price) => computeLineDiscount(line, price, 2)).reasons

describe('tryton: promotion codes', () => {
  const ten = row(1, 'unit_price * 0.9', { coupons: [1] })
  const twenty = row(2, 'unit_price * 0.8', { coupons: [2], products: [2] })
  const both = sold([line('a', '100.00'), line('b', '100.00', { product: 2 })])

  it('report why they do not apply', () => {
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

  it('combine when each has a discount', () => {
    expect(reasonsOf([code('A', ten), code('B', twenty)], [ten, twenty], both)).to.deep.equal([null, null])
    expect(reasonsOf([code('A', ten), code('A2', ten)], [ten], both)).to.deep.equal([null, 'NOT_COMBINABLE'])
    // A used-up code does not block another one.
    const used = code('A', ten, { active: false })
    expect(reasonsOf([used, code('A2', ten)], [ten], both)).to.deep.equal(['LIMIT_REACHED', null])
    const five = row(3, 'unit_price * 0.95', { coupons: [3] })
    expect(reasonsOf([code('C', five), code('A', ten)], [ten, five], both)).to.deep.equal(['NOT_COMBINABLE', null])
  })

  it('are not used when the automatic promotions give more', () => {
    const gift = row(4, 'unit_price * 0.5')
    const { reasons, promotedPrices: promoted } = applyPromotionCodes(
      [code('A', ten)],
      [ten, gift],
      both,
      (line, price) => computeLineDiscount(line, price, 2),
    )
    expect(reasons).to.deep.equal(['NOT_COMBINABLE'])
    expect([...promoted.prices.values()].map(({ price }) => price)).to.deep.equal(['50', '50'])
  })
})
