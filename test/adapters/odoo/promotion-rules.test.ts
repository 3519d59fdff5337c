import { expect } from 'chai'
import { discountedDomain, ruledDomain, toPercentOff } from '../../../adapters/odoo/pricing/promotion-rules.ts'
import { promotionRule, reward, rule, ruleWithReward } from './promotion-fixture.ts'

describe('odoo: rules of promotions', () => {
  it('are left out where Odoo would do more than take a percentage off', () => {
    expect(toPercentOff(rule)).to.not.equal(null)
    const others = [
      promotionRule({ limit_usage: true }),
      promotionRule({ applies_on: 'future' }),
      promotionRule({ trigger: 'auto' }),
      promotionRule({ rule_ids: [1, 2] }),
      promotionRule({ reward_ids: [reward, reward] }),
      promotionRule({ reward_ids: [] }),
      ruleWithReward({ reward_type: 'product' }),
      ruleWithReward({ discount_mode: 'per_order' }),
      ruleWithReward({ discount_applicability: 'cheapest' }),
      ruleWithReward({ discount_max_amount: 5 }),
      ruleWithReward({ discount: 12.345 }),
      ruleWithReward({ discount: 0 }),
      ruleWithReward({ required_points: 2 }),
      ruleWithReward({ discount_product_domain: "[('id', '=', 7)]" }),
      { ...rule, product_domain: "[('id', '=', 7)]" },
      { ...rule, reward_point_mode: 'money' },
    ]
    for (const one of others) expect(toPercentOff(one), JSON.stringify(one)).to.equal(null)
  })

  it('name their goods by product, category or tag', () => {
    const some = ruleWithReward({
      discount_applicability: 'specific',
      discount_product_ids: [7],
      discount_product_category_id: 2,
      discount_product_tag_id: 3,
    })
    expect(discountedDomain(toPercentOff(some)!)).to.deep.equal([
      '|',
      '|',
      ['id', 'in', [7]],
      ['categ_id', 'child_of', 2],
      ['all_product_tag_ids', 'in', [3]],
    ])
    expect(ruledDomain(toPercentOff(some)!)).to.equal(null)
    expect(ruledDomain(toPercentOff({ ...rule, product_ids: [9] })!)).to.deep.equal([['id', 'in', [9]]])
  })
})
