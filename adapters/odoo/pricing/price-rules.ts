import { Decimal } from 'decimal.js'

/** A rule of a price list, in the terms of Odoo's `product.pricelist.item`. Amounts are per base unit. */
export interface PriceRule {
  id: number
  priceListId: number
  /** The currency of its price list. */
  currencyId: number
  appliesTo: '3_global' | '2_product_category' | '1_product' | '0_product_variant'
  categoryId: number | null
  templateId: number | null
  productId: number | null
  minQuantity: number
  /** Unix times in milliseconds, inclusive. */
  startsAt: number | null
  endsAt: number | null
  method: 'fixed' | 'percentage' | 'formula'
  base: 'list_price' | 'standard_price' | 'pricelist'
  basePriceListId: number | null
  fixedPrice: number
  percentOff: number
  discount: number
  markup: number
  roundTo: number
  surcharge: number
  minMargin: number
  maxMargin: number
}

/** The facts of a product that rules refer to. */
export interface RuledProduct {
  id: number
  templateId: number
  /** The product's category and the ancestors of that category. */
  categoryIds: ReadonlySet<number>
  listPrice: number
  cost: number
}

/** Price lists by id. Rules are in Odoo's own order: the first that applies counts. */
export type PriceLists = ReadonlyMap<number, readonly PriceRule[]>

/** Odoo itself does not allow a list that is based on itself. */
const MAX_DEPTH = 10

/** The price of one base unit, unrounded, and whether a rule gave it. `price` is `null` if it has to be converted from another currency. */
export interface RuledPrice {
  price: Decimal | null
  isRuled: boolean
}

/** Returns the price of one base unit at a quantity. */
export function computePrice(
  lists: PriceLists,
  priceListId: number,
  product: RuledProduct,
  quantity: Decimal,
  at: number,
  depth = 0,
): RuledPrice {
  const rules = depth < MAX_DEPTH ? (lists.get(priceListId) ?? []) : []
  const rule = rules.find((one) => matches(one, product, at) && quantity.gte(one.minQuantity))
  if (!rule) return { price: new Decimal(product.listPrice), isRuled: false }
  if (rule.method === 'fixed') return { price: new Decimal(rule.fixedPrice), isRuled: true }
  const base = baseOf(lists, rule, product, quantity, at, depth)
  if (base === null) return { price: null, isRuled: true }
  const price = rule.method === 'percentage' ? takePercent(base, rule.percentOff) : applyFormula(base, rule)
  return { price, isRuled: true }
}

/** Returns the quantities at which a product's price may change, in ascending order. */
export function findBreaks(lists: PriceLists, priceListId: number, product: RuledProduct, at: number): number[] {
  const found = new Set<number>()
  const visit = (id: number, depth: number) => {
    for (const rule of (lists.get(id) ?? []).filter((one) => matches(one, product, at))) {
      if (rule.minQuantity > 0) found.add(rule.minQuantity)
      if (rule.base === 'pricelist' && rule.basePriceListId !== null && depth < MAX_DEPTH)
        visit(rule.basePriceListId, depth + 1)
    }
  }
  visit(priceListId, 0)
  return [...found].sort((a, b) => a - b)
}

function matches(rule: PriceRule, product: RuledProduct, at: number): boolean {
  if (rule.startsAt !== null && rule.startsAt > at) return false
  if (rule.endsAt !== null && rule.endsAt < at) return false
  if (rule.appliesTo === '2_product_category')
    return rule.categoryId !== null && product.categoryIds.has(rule.categoryId)
  if (rule.appliesTo === '1_product') return rule.templateId === product.templateId
  return rule.appliesTo === '3_global' || rule.productId === product.id
}

function baseOf(
  lists: PriceLists,
  rule: PriceRule,
  product: RuledProduct,
  quantity: Decimal,
  at: number,
  depth: number,
): Decimal | null {
  if (rule.base === 'pricelist' && rule.basePriceListId !== null) {
    const baseRules = lists.get(rule.basePriceListId) ?? []
    if (baseRules.some(({ currencyId }) => currencyId !== rule.currencyId)) return null
    return computePrice(lists, rule.basePriceListId, product, quantity, at, depth + 1).price
  }
  return new Decimal(rule.base === 'standard_price' ? product.cost : product.listPrice)
}

/** A formula on the cost adds a markup; any other takes a discount. Then: rounding, surcharge, margins over the base. */
function applyFormula(base: Decimal, rule: PriceRule): Decimal {
  let price = takePercent(base, rule.base === 'standard_price' ? -rule.markup : rule.discount)
  if (rule.roundTo) price = price.div(rule.roundTo).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).times(rule.roundTo)
  price = price.plus(rule.surcharge)
  if (rule.minMargin) price = Decimal.max(price, base.plus(rule.minMargin))
  if (rule.maxMargin) price = Decimal.min(price, base.plus(rule.maxMargin))
  return price
}

const takePercent = (base: Decimal, percent: number) => base.minus(base.times(percent).div(100))
