import { Decimal } from 'decimal.js'
import type { StockAvailability } from '../../catalog/availability-bands.ts'
import { isCartExpired } from '../../commands/carts/edit-cart.ts'
import { findCurrentPricing, type StoredCartPricing, type StoredCredit } from '../../commands/carts/price-cart.ts'
import type { Cart, CartLine, CartWarning } from '../../contract/cart.ts'
import { currencyDigits, type Money, toMoney } from '../../contract/common-schemas.ts'
import type { Product } from '../../ports/inventory.ts'
import type { OrderTotals } from '../../ports/order.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import type { CartPromotionCode, CartRecord } from '../../storage/commerce/carts.ts'

/** What stands beside a cart, one for each line; `undefined`: nobody could say. */
export interface CartSections {
  products: readonly (Product | null | undefined)[]
  bands: readonly (StockAvailability | null)[]
  credit: StoredCredit | null
  /** A code that this very request was refused. */
  refused: QuotedPromotion | null
}

/** A cart as its shopper sees it. Members are named one by one: nothing else of what is stored can come through. */
export function toCartView(
  cart: CartRecord,
  { products, bands, credit, refused }: CartSections,
  currency: string,
  now: number,
): Omit<Cart, 'errors'> {
  const pricing = findCurrentPricing(cart, now)
  const totals = pricing?.totals ?? null
  const money = new Map(pricing?.lines.map((line) => [line.line_id, line]))
  const promotions = promotionsOf(cart.promotions, pricing)
  return {
    cart_id: cart.cart_id,
    state: isCartExpired(cart, now) ? 'EXPIRED' : cart.state,
    version: cart.version,
    currency,
    lines: cart.lines.map((line, at) => ({
      line_id: line.line_id,
      sku: line.sku,
      name: products[at]?.name ?? line.name,
      thumb_url: products[at]?.media?.[0]?.thumb_url ?? null,
      quantity: Number(line.quantity),
      uom: line.uom,
      order_uom: line.order_uom,
      order_quantity: line.order_quantity === null ? null : Number(line.order_quantity),
      band: bands[at]?.band ?? null,
      ...moneyOfLine(money.get(line.line_id), currency),
    })),
    item_count: cart.lines.length,
    promotions: [...promotions, ...(refused ? [refused] : [])].map(({ discount, ...promotion }) => ({
      code: promotion.code,
      status: promotion.status,
      reason: promotion.reason,
      description: promotion.description,
      discount: discount === null ? null : toMoney(discount, currency),
    })),
    totals: totals && toTotalsView(totals, currency),
    pricing: pricingView(cart, totals !== null),
    credit: totals && credit && creditView(totals.total, credit, currency),
    warnings: cart.state === 'ACTIVE' ? warningsOf(cart, { products, bands }, pricing, promotions) : [],
    order_id: cart.state === 'CONVERTED' ? cart.order_id : null,
    created_at: cart.created_at,
    updated_at: cart.updated_at,
    expires_at: cart.expires_at,
  }
}

type LineMoney = Pick<CartLine, 'unit_price' | 'list_unit_price' | 'discount' | 'tax' | 'line_total'>

function moneyOfLine(line: StoredCartPricing['lines'][number] | undefined, currency: string): LineMoney {
  const money = (amount: string | null | undefined): Money | null => (amount ? toMoney(amount, currency) : null)
  return {
    unit_price: money(line?.unit_price),
    list_unit_price: money(line?.list_unit_price),
    discount: money(line?.discount),
    tax: money(line?.tax.amount),
    line_total: money(line?.line_total),
  }
}

/** Totals as every answer shows them: a cart's, and an order's. */
export function toTotalsView(totals: OrderTotals, currency: string): NonNullable<Cart['totals']> {
  const money = (amount: string) => toMoney(amount, currency)
  return {
    subtotal: money(totals.subtotal),
    discount_total: money(totals.discount_total),
    tax_total: money(totals.tax_total),
    shipping_total: money(totals.shipping_total),
    total: money(totals.total),
    taxes: totals.taxes.map(({ code, name, rate, base, amount }) => {
      return { code, name, rate, base: money(base), amount: money(amount) }
    }),
    tax_included: totals.tax_included,
  }
}

function pricingView(cart: CartRecord, priced: boolean): Cart['pricing'] {
  const last = cart.pricing as StoredCartPricing | null
  if (!last?.complete_once) return { state: 'UNPRICED', priced_at: null, expires_at: null }
  return { state: priced ? 'PRICED' : 'STALE', priced_at: last.priced_at, expires_at: last.expires_at }
}

function creditView(total: string, credit: StoredCredit, currency: string): NonNullable<Cart['credit']> {
  const { enabled, available_credit, as_of } = credit
  const left = enabled && available_credit !== null ? new Decimal(available_credit) : null
  const short = left && new Decimal(total).minus(left)
  const exceeds = short?.gt(0) ?? false
  return {
    enabled,
    would_exceed: exceeds,
    shortfall: exceeds ? toMoney(short!.toFixed(currencyDigits(currency)), currency) : null,
    available_credit: left && toMoney(left.toFixed(), currency),
    as_of,
  }
}

type ShownPromotion = Omit<QuotedPromotion, 'discount'> & { discount: string | null }

/** Those of the cart, with what the pricing said of them. */
function promotionsOf(held: readonly CartPromotionCode[], pricing: StoredCartPricing | null): ShownPromotion[] {
  return held.map(({ code, description }, at) => {
    const priced = pricing?.promotions[at]
    return priced ? { ...priced, code } : { code, status: 'APPLIED', reason: null, description, discount: null }
  })
}

type WarningCode = CartWarning['code']

const messages: Record<WarningCode, string> = {
  OUT_OF_STOCK: 'This product is out of stock.',
  LOW_STOCK: 'Few of this product are left.',
  BACKORDER: 'This product is on order',
  DISCONTINUED: 'This product is no longer sold.',
  PRICE_UNAVAILABLE: 'This product has no price now; ask the shop for one.',
  PROMOTION_NOT_APPLICABLE: 'does not apply to this cart now.',
}
const BANDS: Partial<Record<StockAvailability['band'], WarningCode>> = {
  OUT: 'OUT_OF_STOCK',
  LOW: 'LOW_STOCK',
  LEAD_TIME: 'BACKORDER',
}

function warningsOf(
  { lines }: CartRecord,
  { products, bands }: Pick<CartSections, 'products' | 'bands'>,
  pricing: StoredCartPricing | null,
  promotions: readonly ShownPromotion[],
): CartWarning[] {
  const unpriced = new Set(pricing?.unpriced)
  const warnings = lines.flatMap(({ line_id, sku }, at) => {
    const warn = (code: WarningCode, message = messages[code]) => ({ code, line_id, message })
    const product = products[at]
    const banded = bands[at]
    const gone = product === null || product?.active === false
    const scarce = gone || !banded ? undefined : BANDS[banded.band]
    return [
      ...(gone ? [warn('DISCONTINUED')] : []),
      ...(scarce === 'BACKORDER' ? [warn(scarce, `${messages.BACKORDER}; it is expected on ${banded!.eta}.`)] : []),
      ...(scarce && scarce !== 'BACKORDER' ? [warn(scarce)] : []),
      ...(unpriced.has(sku) ? [warn('PRICE_UNAVAILABLE')] : []),
    ]
  })
  const refused = promotions.filter(({ status }) => status === 'NOT_APPLICABLE')
  const message = messages.PROMOTION_NOT_APPLICABLE
  return [
    ...warnings,
    ...refused.map(({ code }) => {
      return { code: 'PROMOTION_NOT_APPLICABLE' as const, line_id: null, message: `The code ${code} ${message}` }
    }),
  ]
}
