import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { categoryWithAncestors } from '../catalog/category-parents.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import { applyPromotionCodes, type PromotionCodeResult } from './apply-promotion-codes.ts'
import { applyPromotions, type Promotion } from './apply-promotions.ts'
import { computeLineDiscount } from './line-discount.ts'
import { type CouponRow, createPromotionReader, type PromotionRow } from './promotion-and-coupon-reader.ts'
import { parsePromotionFormula } from './promotion-formula.ts'
import { createPromotionSaleReader, hasMinimum, type PricedCart } from './promotion-sale-reader.ts'
import type { SkuTaxReader } from './sku-taxes.ts'

/** The id of the line of a delivery, which no line of a cart has. */
const DELIVERY = 'the delivery'

interface Sources {
  rpc: Rpc
  capabilities: Capabilities
  settings: TrytonSettings
  facts: MerchantFacts
  taxes: SkuTaxReader
}

/** The promotions of a quote, and the coupon of each code. */
export interface QuotedPromotions {
  promotions: Promotion[]
  coupons: (CouponRow | null)[]
}

/** The product that is sold for a delivery, at its price before promotions. */
export interface DeliveryLine {
  product: number
  unit: number
  /** Without their ancestors. */
  categories: readonly number[]
  price: string
}

/** Returns the price of a delivery after the promotions of its cart; `null` when it cannot be computed. */
export type PriceDelivery = (line: DeliveryLine) => string | null

export type PromotionQuotes = ReturnType<typeof createPromotionQuotes>

/**
 * Computes the effect of Tryton's promotions on prices. Tryton applies them when a sale is quoted and cannot preview
 * them, so they are computed here.
 */
export function createPromotionQuotes({ rpc, capabilities, settings, facts, taxes }: Sources) {
  const todayInMerchantZone = () => dateInTimeZone(facts.timeZone, facts.now())
  const readSale = createPromotionSaleReader({ rpc, facts, taxes })
  const reader = createPromotionReader(rpc, capabilities, settings, todayInMerchantZone)

  async function readPromotions(codes: readonly string[], party: number, call: Call): Promise<QuotedPromotions> {
    const coupons = await reader.readCoupons(codes, party, call)
    const ids = coupons.flatMap((coupon) => (coupon ? [coupon['coupon.'].promotion] : []))
    const rows = await reader.readPromotions([...new Set(ids)], call)
    return { coupons, promotions: rows.map((row) => toPromotion(row, facts.currency)) }
  }

  async function applyCodes(
    { coupons, promotions }: QuotedPromotions,
    cart: PricedCart,
    call: Call,
  ): Promise<PromotionCodeResult & { priceDelivery: PriceDelivery }> {
    const sale = await readSale(promotions, cart, call)
    const codes = coupons.map((coupon) => ({
      coupon,
      promotion: promotions.find(({ row }) => row.id === coupon?.['coupon.'].promotion),
    }))
    const result = applyPromotionCodes(codes, promotions, sale, (line, price) =>
      computeLineDiscount(line, price, cart.digits),
    )
    const couponIds = new Set(
      coupons.flatMap((coupon, i) => (result.reasons[i] === null ? [coupon!['coupon.'].id] : [])),
    )
    /** Tryton adds the delivery to the lines of the sale before it applies the promotions. Minimum amounts do not count it. */
    const priceDelivery: PriceDelivery = ({ categories, price, ...of }) => {
      const ids = categories.flatMap((id) => categoryWithAncestors(id, sale.parents))
      const line = { ...of, line_id: DELIVERY, categories: ids, quantity: '1', price, formulaPrice: price }
      const { prices, uncomputableLines } = applyPromotions(promotions, couponIds, {
        ...sale,
        lines: [...sale.lines, line],
      })
      return uncomputableLines.has(DELIVERY) ? null : prices.get(DELIVERY)!.price
    }
    return { ...result, priceDelivery }
  }

  return { readPromotions, applyCodes }
}

/** Returns a promotion with its formula. One whose minimum is in another currency cannot be computed. */
export function toPromotion(row: PromotionRow, currency: string): Promotion {
  const isForeign = hasMinimum(row) && row['currency.']?.code !== currency
  return { row, formula: isForeign ? null : parsePromotionFormula(row.formula) }
}
