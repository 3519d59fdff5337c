import { expect } from 'chai'
import { createAmountFormatter } from '../../../adapters/decimal-format.ts'
import { applyPromotionCodes, type PromotedCart } from '../../../adapters/odoo/pricing/apply-promotion-codes.ts'
import { type PromotionRule, toPromotion } from '../../../adapters/odoo/pricing/promotion-rules.ts'
import { promotionRule, promotionTerms, rule, ruleWithReward } from './promotion-fixture.ts'

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
  promotion: { ...toPromotion(of, promotionTerms)!, ruledSkus, discountedSkus },
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

  it('take an amount with tax off all lines in proportion', () => {
    const { lines, promotions, percents, unitPrices } = applyPromotionCodes(
      [codeOf(ruleWithReward({ discount_mode: 'per_order', discount: 23 }))],
      cart,
    )
    // 230.06 with 15 % tax: 23.00 of it is 20.00 before tax.
    expect(lines.map(({ discount }) => discount)).to.deep.equal(['10.00', '10.00'])
    expect(promotions[0]).to.include({ status: 'APPLIED', discount: '20.00' })
    expect([...percents]).to.deep.equal([])
    expect([...unitPrices]).to.deep.equal([
      ['a', '30.017'],
      ['b', '90.00'],
    ])
  })

  it('take an amount off prices with tax exactly, and at most what the goods cost', () => {
    const included: PromotedCart = { ...cart, lines: cart.lines.map((line) => ({ ...line, tax_included: true })) }
    const off = (discount: number, of = included) =>
      applyPromotionCodes([codeOf(ruleWithReward({ discount_mode: 'per_order', discount }))], of)
    expect(off(50).lines.map(({ discount }) => discount)).to.deep.equal(['25.01', '24.99'])
    expect(off(50).promotions[0]!.discount).to.equal('50.00')
    expect(off(1_000).promotions[0]!.discount).to.equal('200.05')
    expect([...off(1_000).unitPrices.values()]).to.deep.equal(['0.00', '0.00'])
    expect(off(1_000, cart).promotions[0]!.discount).to.equal('200.05')
  })

  it('take a percentage up to a maximum', () => {
    const off = (discount_max_amount: number) =>
      applyPromotionCodes([codeOf(ruleWithReward({ discount_max_amount }))], cart).promotions[0]!.discount
    expect([off(11.5), off(1_000)]).to.deep.equal(['10.00', '20.00'])
  })

  it('give some units of one product for nothing, which do not count for the minimum', () => {
    const free = ruleWithReward({ reward_type: 'product', reward_product_ids: [7], reward_product_qty: 2 })
    const pads = new Set(['PAD'])
    const { lines, promotions, unitPrices } = applyPromotionCodes([codeOf(free, ALL, pads)], cart)
    expect(lines.map(({ discount }) => discount)).to.deep.equal(['66.70', '0.00'])
    expect(promotions[0]).to.include({ status: 'APPLIED', discount: '66.70' })
    expect([...unitPrices]).to.deep.equal([['a', '11.117']])
    expect(reasonOf({ ...free, minimum_qty: 2 }, ALL, pads)).to.equal(null)
    expect(reasonOf({ ...free, minimum_qty: 3 }, ALL, pads)).to.equal('MINIMUM_NOT_MET')
    // 33.35 and 100.00 are left to pay, with 15 % tax.
    expect(reasonOf({ ...free, minimum_amount: 153.35 }, ALL, pads)).to.equal(null)
    expect(reasonOf({ ...free, minimum_amount: 153.37 }, ALL, pads)).to.equal('MINIMUM_NOT_MET')
    expect(reasonOf(free, ALL, new Set())).to.equal('NO_ELIGIBLE_LINES')
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
