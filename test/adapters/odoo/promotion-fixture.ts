import type { PromotionRule, PromotionTerms } from '../../../adapters/odoo/pricing/promotion-rules.ts'

export const promotionTerms: PromotionTerms = { currency: 'JMD', keepsUnitPrices: true }

export const reward: PromotionRule['program_id']['reward_ids'][number] = {
  id: 1,
  description: '10% on your order',
  reward_type: 'discount',
  required_points: 1,
  discount: 10,
  discount_mode: 'percent',
  discount_applicability: 'order',
  discount_max_amount: 0,
  discount_product_ids: [],
  discount_product_category_id: false,
  discount_product_tag_id: false,
  discount_product_domain: '[]',
  reward_product_ids: [],
  reward_product_qty: 1,
}
export const program: PromotionRule['program_id'] = {
  id: 1,
  applies_on: 'current',
  trigger: 'with_code',
  limit_usage: false,
  date_from: false,
  date_to: false,
  pricelist_ids: [],
  currency_id: { name: 'JMD' },
  rule_ids: [1],
  reward_ids: [reward],
}
export const rule: PromotionRule = {
  id: 1,
  code: 'SAVE10',
  reward_point_amount: 1,
  reward_point_mode: 'order',
  minimum_qty: 0,
  minimum_amount: 0,
  minimum_amount_tax_mode: 'incl',
  product_ids: [],
  product_category_id: false,
  product_tag_id: false,
  product_domain: '[]',
  program_id: program,
}

/** Returns a code for 10 % off, with changes to its program. */
export const promotionRule = (change: Partial<typeof program> = {}): PromotionRule => ({
  ...rule,
  program_id: { ...program, ...change },
})

/** Returns a code for 10 % off, with changes to its reward. */
export const ruleWithReward = (change: Partial<typeof reward>): PromotionRule =>
  promotionRule({ reward_ids: [{ ...reward, ...change }] })
