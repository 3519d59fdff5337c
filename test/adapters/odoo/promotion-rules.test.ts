import { expect } from 'chai'
import {
  discountedDomain,
  type PromotionRule,
  ruledDomain,
  toPromotion,
} from '../../../adapters/odoo/pricing/promotion-rules.ts'
import { promotionRule, promotionTerms, reward, rule, ruleWithReward } from './promotion-fixture.ts'

const read = (one: PromotionRule) => toPromotion(one, promotionTerms)
const discountOf = (change: Partial<typeof reward>) => {
  const discount = read(ruleWithReward(change))?.discount
  return discount && JSON.parse(JSON.stringify(discount))
}

describe('odoo: rules of promotions', () => {
  it('are left out where Odoo would do more than take a discount off', () => {
    expect(read(rule)).to.not.equal(null)
    const others = [
      promotionRule({ limit_usage: true }),
      promotionRule({ applies_on: 'future' }),
      promotionRule({ trigger: 'auto' }),
      promotionRule({ rule_ids: [1, 2] }),
      promotionRule({ reward_ids: [reward, reward] }),
      promotionRule({ reward_ids: [] }),
      ruleWithReward({ reward_type: 'product' }),
      ruleWithReward({ reward_type: 'product', reward_product_ids: [7, 8] }),
      ruleWithReward({ reward_type: 'shipping' }),
      ruleWithReward({ discount_applicability: 'cheapest' }),
      ruleWithReward({ discount: 101 }),
      ruleWithReward({ discount: 0 }),
      ruleWithReward({ required_points: 2 }),
      ruleWithReward({ discount_product_domain: "[('id', '=', 7)]" }),
      { ...rule, product_domain: "[('id', '=', 7)]" },
      { ...rule, reward_point_mode: 'money' },
    ]
    for (const one of others) expect(read(one), JSON.stringify(one)).to.equal(null)
  })

  it('have a percentage, an amount or free units as their discount', () => {
    expect(discountOf({})).to.deep.equal({ kind: 'percent', percent: '10' })
    const amount = (amount: string, percent = '100') => ({ kind: 'amount', amount, percent })
    expect(discountOf({ discount_mode: 'per_order', discount: 500 })).to.deep.equal(amount('500'))
    expect(discountOf({ discount_mode: 'per_order', discount: 500, discount_max_amount: 300 })).to.deep.equal(
      amount('300'),
    )
    const points = { ...ruleWithReward({ discount_mode: 'per_point', discount: 5, required_points: 30 }) }
    expect(read({ ...points, reward_point_amount: 30 })?.discount).to.deep.include({ kind: 'amount' })
    expect(String((read({ ...points, reward_point_amount: 30 })!.discount as { amount: unknown }).amount)).to.equal(
      '150',
    )
    expect(discountOf({ discount_max_amount: 5 })).to.deep.equal(amount('5', '10'))
    expect(discountOf({ discount: 12.345 })).to.deep.equal(amount('Infinity', '12.345'))
    const free = { reward_type: 'product', reward_product_ids: [7], reward_product_qty: 2 }
    expect(discountOf(free)).to.deep.equal({ kind: 'units', units: '2' })
    expect(discountedDomain(read(ruleWithReward(free))!)).to.deep.equal([['id', 'in', [7]]])
  })

  it('are left out if Odoo rounds the price of a unit, or the amount has another currency', () => {
    const older = { ...promotionTerms, keepsUnitPrices: false }
    const fixed = ruleWithReward({ discount_mode: 'per_order' })
    expect(toPromotion(rule, older)).to.not.equal(null)
    expect(toPromotion(fixed, older)).to.equal(null)
    expect(toPromotion(fixed, { ...promotionTerms, currency: 'USD' })).to.equal(null)
    expect(toPromotion(rule, { ...promotionTerms, currency: 'USD' })).to.not.equal(null)
  })

  it('name their goods by product, category or tag', () => {
    const some = ruleWithReward({
      discount_applicability: 'specific',
      discount_product_ids: [7],
      discount_product_category_id: 2,
      discount_product_tag_id: 3,
    })
    expect(discountedDomain(read(some)!)).to.deep.equal([
      '|',
      '|',
      ['id', 'in', [7]],
      ['categ_id', 'child_of', 2],
      ['all_product_tag_ids', 'in', [3]],
    ])
    expect(ruledDomain(read(some)!)).to.equal(null)
    expect(ruledDomain(read({ ...rule, product_ids: [9] })!)).to.deep.equal([['id', 'in', [9]]])
  })
})
