import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import { emptyOr, OdooId, OdooIds, OdooLink, OdooText } from '../client/odoo-values.ts'
import type { Specification } from '../client/rpc.ts'

const Reward = Type.Object({
  id: OdooId,
  description: OdooText,
  reward_type: Type.String(),
  required_points: Type.Number(),
  discount: Type.Number(),
  discount_mode: Type.String(),
  discount_applicability: OdooText,
  discount_max_amount: Type.Number(),
  discount_product_ids: OdooIds,
  discount_product_category_id: OdooLink,
  discount_product_tag_id: OdooLink,
  discount_product_domain: OdooText,
  reward_product_ids: OdooIds,
  reward_product_qty: Type.Number(),
})

const Program = Type.Object({
  id: OdooId,
  applies_on: Type.String(),
  trigger: Type.String(),
  limit_usage: Type.Boolean(),
  date_from: emptyOr(Type.String()),
  date_to: emptyOr(Type.String()),
  pricelist_ids: OdooIds,
  currency_id: Type.Object({ name: Type.String() }),
  rule_ids: OdooIds,
  reward_ids: Type.Array(Reward),
})

/** A rule of a loyalty program that a code triggers, with its program and the rewards of that. */
export const PromotionRule = Type.Object({
  id: OdooId,
  code: Type.String(),
  reward_point_amount: Type.Number(),
  reward_point_mode: Type.String(),
  minimum_qty: Type.Number(),
  minimum_amount: Type.Number(),
  minimum_amount_tax_mode: Type.String(),
  product_ids: OdooIds,
  product_category_id: OdooLink,
  product_tag_id: OdooLink,
  product_domain: OdooText,
  program_id: Program,
})
export type PromotionRule = Static<typeof PromotionRule>
type Reward = Static<typeof Reward>

const fieldsOf = (row: { properties: object }, nested: Specification = {}): Specification => ({
  ...Object.fromEntries(Object.keys(row.properties).map((field) => [field, {}])),
  ...nested,
})
export const promotionSpecification = fieldsOf(PromotionRule, {
  program_id: {
    fields: fieldsOf(Program, { reward_ids: { fields: fieldsOf(Reward) }, currency_id: { fields: { name: {} } } }),
  },
})

/** The discount of a promotion on the lines of a cart. */
export type PromotionDiscount =
  /** A percentage with at most two decimals, which a line of a sale order in Odoo can hold. */
  | { kind: 'percent'; percent: Decimal }
  /** An amount with tax off all lines: the lower of `amount` and `percent` of their total. */
  | { kind: 'amount'; amount: Decimal; percent: Decimal }
  /** A number of free units. */
  | { kind: 'units'; units: Decimal }

/** A code with the only reward of its program. */
export interface Promotion {
  rule: PromotionRule
  reward: Reward
  discount: PromotionDiscount
}

/** The conditions of a shop on which it depends whether it applies a promotion. */
export interface PromotionTerms {
  currency: string
  /** True if Odoo stores a unit price with all its decimals. */
  keepsUnitPrices: boolean
}

const MAX_DECIMALS = 2
const WHOLE = new Decimal(100)

/** Returns the reward of a code, or `null` for a program that the shop does not apply. */
export function toPromotion(rule: PromotionRule, { currency, keepsUnitPrices }: PromotionTerms): Promotion | null {
  const { program_id: program } = rule
  const [reward] = program.reward_ids
  if (!reward || program.reward_ids.length > 1 || program.rule_ids.length > 1) return null
  // Odoo would not count a use by the shop, because the order has no line of the program.
  if (program.trigger !== 'with_code' || program.applies_on !== 'current' || program.limit_usage) return null
  // The code gives the points of one reward, however much is ordered.
  if (rule.reward_point_mode !== 'order' || rule.reward_point_amount !== reward.required_points) return null
  if (!isEmptyDomain(rule.product_domain) || !isEmptyDomain(reward.discount_product_domain)) return null
  const discount = toDiscount(reward)
  if (discount === null) return null
  // Any other discount is sent to Odoo as a lower unit price.
  if (discount.kind !== 'percent' && !keepsUnitPrices) return null
  if (discount.kind === 'amount' && program.currency_id.name !== currency) return null
  return { rule, reward, discount }
}

function toDiscount(reward: Reward): PromotionDiscount | null {
  const { reward_type, discount_mode, discount_applicability } = reward
  if (reward_type === 'product') {
    const isOne = reward.reward_product_ids.length === 1 && reward.reward_product_qty > 0
    return isOne ? { kind: 'units', units: new Decimal(reward.reward_product_qty) } : null
  }
  if (reward_type !== 'discount' || reward.discount <= 0) return null
  if (discount_applicability !== 'order' && discount_applicability !== 'specific') return null
  const value = new Decimal(reward.discount)
  const max = new Decimal(reward.discount_max_amount > 0 ? reward.discount_max_amount : Infinity)
  if (discount_mode === 'per_order') return { kind: 'amount', amount: Decimal.min(value, max), percent: WHOLE }
  if (discount_mode === 'per_point') {
    const amount = value.times(reward.required_points)
    return { kind: 'amount', amount: Decimal.min(amount, max), percent: WHOLE }
  }
  if (discount_mode !== 'percent' || value.gt(100)) return null
  const isPlain = !max.isFinite() && value.decimalPlaces() <= MAX_DECIMALS
  return isPlain ? { kind: 'percent', percent: value } : { kind: 'amount', amount: max, percent: value }
}

/** Odoo stores a domain as Python. */
const isEmptyDomain = (text: OdooText) => text === false || text.trim() === '' || text.trim() === '[]'

/** Returns the goods that the minimum of a code counts, as a domain. `null`: all goods. */
export const ruledDomain = ({ rule }: Promotion) =>
  toDomain(rule.product_ids, rule.product_category_id, rule.product_tag_id)

/** Returns the goods that a code discounts, as a domain. `null`: all goods. */
export function discountedDomain({ reward, discount }: Promotion): unknown[] | null {
  if (discount.kind === 'units') return toDomain(reward.reward_product_ids, false, false)
  if (reward.discount_applicability === 'order') return null
  return toDomain(reward.discount_product_ids, reward.discount_product_category_id, reward.discount_product_tag_id)
}

/** Goods that one of the conditions names. */
function toDomain(products: readonly number[], category: number | false, tag: number | false): unknown[] | null {
  const conditions = [
    ...(products.length > 0 ? [['id', 'in', products]] : []),
    ...(category ? [['categ_id', 'child_of', category]] : []),
    ...(tag ? [['all_product_tag_ids', 'in', [tag]]] : []),
  ]
  return conditions.length === 0 ? null : [...conditions.slice(1).map(() => '|'), ...conditions]
}
