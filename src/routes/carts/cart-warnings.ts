import { isOrderable, type StockAvailability } from '../../catalog/availability-bands.ts'
import type { StoredCartPricing } from '../../commands/carts/stored-cart-pricing.ts'
import type { CartWarning } from '../../contract/cart/cart.ts'
import type { Product } from '../../ports/inventory.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'

type LineWarningCode = Exclude<CartWarning['code'], 'PROMOTION_NOT_APPLICABLE'>

const messages: Record<Exclude<LineWarningCode, 'BACKORDER'>, string> = {
  OUT_OF_STOCK: 'This product is out of stock.',
  LOW_STOCK: 'This product is low in stock.',
  DISCONTINUED: 'This product is no longer sold.',
  PRICE_UNAVAILABLE: 'This product has no price at the moment; contact the shop.',
}

/** Returns the warnings of a cart's lines. `products` and `bands` have one entry per line. */
export function toLineWarnings(
  { lines }: CartRecord,
  products: readonly (Product | null | undefined)[],
  bands: readonly (StockAvailability | null)[],
  pricing: StoredCartPricing | null,
): CartWarning[] {
  const unpriced = new Set(pricing?.unpriced)
  return lines.flatMap(({ line_id, sku }, at) => {
    const product = products[at]
    const isDiscontinued = product === null || product?.active === false
    const stockWarning = isDiscontinued ? null : toStockWarning(bands[at])
    const warn = (code: keyof typeof messages) => ({ code, message: messages[code] })
    return [
      ...(isDiscontinued ? [warn('DISCONTINUED')] : []),
      ...(stockWarning ? [stockWarning] : []),
      ...(unpriced.has(sku) ? [warn('PRICE_UNAVAILABLE')] : []),
    ].map(({ code, message }) => ({ code, line_id, message }))
  })
}

function toStockWarning(availability: StockAvailability | null | undefined) {
  if (availability && !isOrderable(availability))
    return { code: 'OUT_OF_STOCK' as const, message: messages.OUT_OF_STOCK }
  switch (availability?.band) {
    case 'OUT':
      return { code: 'BACKORDER' as const, message: 'This product is on backorder; no date is known.' }
    case 'LOW':
      return { code: 'LOW_STOCK' as const, message: messages.LOW_STOCK }
    case 'LEAD_TIME':
      return {
        code: 'BACKORDER' as const,
        message: `This product is on backorder; it is expected on ${availability.eta}.`,
      }
    default:
      return null
  }
}

/** Returns the warning of a promotion code that does not apply. */
export const toPromotionWarning = (code: string): CartWarning => ({
  code: 'PROMOTION_NOT_APPLICABLE',
  line_id: null,
  message: `The code ${code} does not apply to this cart.`,
})
