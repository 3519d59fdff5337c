import { expect } from 'chai'
import { createAmountFormatter } from '../../../adapters/decimal-format.ts'
import { applyPromotionCodes, type PromotedCart } from '../../../adapters/odoo/pricing/apply-promotion-codes.ts'
import { type PromotionRule, toPercentOff } from '../../../adapters/odoo/pricing/promotion-rules.ts'
import { promotionRule, rule, ruleWithReward } from './promotion-fixture.ts'

const lineOf = (line_id: string, sku: string, unit_price: string, quantity: string) => ({
  line_id,
  sku,
  unit_price,
  quantity,
  list_unit_price: unit_price,
  price_type: 'LIST' as const,
  tax_included: false,
  discount: '0.00',
  tax: { code: 'GCT', name: 'GCT', rate: '0.15' },
})
const cart: PromotedCart = {
  lines: [lineOf('a', 'PAD', '33.35', '3'), lineOf('b', 'OIL', '100.00', '1')],
  priceListId: 4,
  today: '2026-11-27',
  rounding: { isGlobal: false, digits: 2 },
  formatAmount: createAmountFormatter('JMD'),
}
const ALL = new Set(['PAD', 'OIL'])
const codeOf = (of: PromotionRule, ruledSkus = ALL, discountedSkus = ALL) => ({
  code: of.code,
  promotion: { ...toPercentOff(of)!, ruledSkus, discountedSkus },
})
const reasonOf = (of: PromotionRule, ...skus: Set<string>[]) =>
  applyPromotionCodes([codeOf(of, ...skus)], cart).promotions[0]!.reason

describe('odoo: promotion codes', () => {
  it('take a percentage off each line, rounded as Odoo rounds the line', () => {
    const { lines, promotions, percents } = applyPromotionCodes([codeOf(rule)], cart)
    // 3 × 33.35 × 0.9 is 90.045: 90.05, and so 10.00 off.
    expect(lines.map(({ discount }) => discount)).to.deep.equal(['10.00', '10.00'])
    expect(lines[0]).to.not.have.property('quantity')
    expect([...percents]).to.deep.equal([
      ['a', '10'],
      ['b', '10'],
    ])
    const description = '10% on your order'
    expect(promotions).to.deep.equal([
      { code: 'SAVE10', description, status: 'APPLIED', reason: null, discount: '20.00' },
    ])
  })

  it('discount only the goods of the reward', () => {
    const { lines, percents } = applyPromotionCodes([codeOf(rule, ALL, new Set(['OIL']))], cart)
    expect(lines.map(({ discount }) => discount)).to.deep.equal(['0.00', '10.00'])
    expect([...percents.keys()]).to.deep.equal(['b'])
  })

  it('say why they do not apply', () => {
    expect(reasonOf(promotionRule({ date_to: '2026-11-26' }))).to.equal('EXPIRED')
    expect(reasonOf(promotionRule({ date_from: '2026-11-28' }))).to.equal('NOT_STARTED')
    expect(reasonOf(promotionRule({ date_from: '2026-11-27', date_to: '2026-11-27', pricelist_ids: [4] }))).to.equal(
      null,
    )
    expect(reasonOf(promotionRule({ pricelist_ids: [5] }))).to.equal('CUSTOMER_NOT_ELIGIBLE')
    expect(reasonOf({ ...rule, minimum_qty: 5 })).to.equal('MINIMUM_NOT_MET')
    expect(reasonOf({ ...rule, minimum_qty: 4 })).to.equal(null)
    expect(reasonOf(rule, new Set(), ALL)).to.equal('NO_ELIGIBLE_LINES')
    expect(reasonOf(rule, ALL, new Set())).to.equal('NO_ELIGIBLE_LINES')
  })

  it('count the minimum with or without the tax, over the goods of the rule', () => {
    // 100.05 and 100.00, with 15 % tax 230.06 together.
    const least = (minimum_amount: number, minimum_amount_tax_mode: string) =>
      reasonOf({ ...rule, minimum_amount, minimum_amount_tax_mode })
    expect([least(230.06, 'incl'), least(230.07, 'incl')]).to.deep.equal([null, 'MINIMUM_NOT_MET'])
    expect([least(200.05, 'excl'), least(200.06, 'excl')]).to.deep.equal([null, 'MINIMUM_NOT_MET'])
    expect(reasonOf({ ...rule, minimum_amount: 116 }, new Set(['PAD']))).to.equal('MINIMUM_NOT_MET')
  })

  it('are not combined: the first that applies counts', () => {
    const over = { ...promotionRule({ date_to: '2026-11-01' }), code: 'OVER' }
    const more = { ...ruleWithReward({ discount: 20 }), code: 'SAVE20' }
    const codes = [codeOf(over), codeOf(rule), { code: 'other', promotion: null }, codeOf(more)]
    const { promotions, percents } = applyPromotionCodes(codes, cart)
    expect(promotions.map(({ code, reason }) => [code, reason])).to.deep.equal([
      ['OVER', 'EXPIRED'],
      ['SAVE10', null],
      ['other', 'UNKNOWN_CODE'],
      ['SAVE20', 'NOT_COMBINABLE'],
    ])
    expect(percents.get('a')).to.equal('10')
  })
})
