import { Decimal } from 'decimal.js'
import type { StockAvailability } from '../../catalog/availability-bands.ts'
import { isCartExpired } from '../../commands/carts/cart-lifetime.ts'
import {
  findCurrentPricing,
  type StoredCartPricing,
  type StoredCredit,
} from '../../commands/carts/stored-cart-pricing.ts'
import type { Cart, CartLine } from '../../contract/cart/cart.ts'
import { toDeliveryView } from '../../contract/cart/delivery-mapping.ts'
import { currencyDigits, type Money, toMoney } from '../../contract/money.ts'
import type { Product } from '../../ports/inventory.ts'
import type { OrderTotals } from '../../ports/order.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import type { CartPromotionCode, CartRecord } from '../../storage/commerce/carts.ts'
import { toLineWarnings, toPromotionWarning } from './cart-warnings.ts'

/** The sections of a cart: products and bands by line. */
export interface CartSections {
  /** `null`: not sold; `undefined`: inventory could not be read. */
  products: readonly (Product | null | undefined)[]
  bands: readonly (StockAvailability | null)[]
  credit: StoredCredit | null
  /** The code of this request, when it does not apply. */
  refused: QuotedPromotion | null
}

/** Returns a cart as its shopper sees it. Members are listed one by one, so that no other stored data gets into the response. */
export function toCartView(
  cart: CartRecord,
  { products, bands, credit, refused }: CartSections,
  currency: string,
  now: number,
): Omit<Cart, 'errors'> {
  const pricing = findCurrentPricing(cart, now)
  const totals = pricing?.totals ?? null
  const promotions = toPromotions(cart.promotions, pricing)
  const inapplicable = promotions.filter(({ status }) => status === 'NOT_APPLICABLE')
  return {
    cart_id: cart.cart_id,
    state: isCartExpired(cart, now) ? 'EXPIRED' : cart.state,
    version: cart.version,
    currency,
    lines: toLines(cart, { products, bands }, pricing, currency),
    item_count: cart.lines.length,
    promotions: [...promotions, ...(refused ? [refused] : [])].map(({ discount, ...promotion }) => ({
      code: promotion.code,
      status: promotion.status,
      reason: promotion.reason,
      description: promotion.description,
      discount: discount === null ? null : toMoney(discount, currency),
    })),
    totals: totals && toTotalsView(totals, currency),
    delivery: toDeliveryView((cart.pricing as StoredCartPricing | null)?.delivery),
    pricing: toPricingView(cart, totals !== null),
    credit: totals && credit && toCreditView(totals.total, credit, currency),
    warnings:
      cart.state === 'ACTIVE'
        ? [
            ...toLineWarnings(cart, products, bands, pricing),
            ...inapplicable.map(({ code }) => toPromotionWarning(code)),
          ]
        : [],
    order_id: cart.state === 'CONVERTED' ? cart.order_id : null,
    created_at: cart.created_at,
    updated_at: cart.updated_at,
    expires_at: cart.expires_at,
  }
}

function toLines(
  cart: CartRecord,
  { products, bands }: Pick<CartSections, 'products' | 'bands'>,
  pricing: StoredCartPricing | null,
  currency: string,
): CartLine[] {
  const pricedLines = new Map(pricing?.lines.map((line) => [line.line_id, line]))
  return cart.lines.map((line, at) => ({
    line_id: line.line_id,
    sku: line.sku,
    name: products[at]?.name ?? line.name,
    thumb_url: products[at]?.media?.[0]?.thumb_url ?? null,
    quantity: Number(line.quantity),
    uom: line.uom,
    order_uom: line.order_uom,
    order_quantity: line.order_quantity === null ? null : Number(line.order_quantity),
    band: bands[at]?.band ?? null,
    ...toLineMoney(pricedLines.get(line.line_id), currency),
  }))
}

type LineMoney = Pick<CartLine, 'unit_price' | 'list_unit_price' | 'discount' | 'tax' | 'line_total'>

function toLineMoney(line: StoredCartPricing['lines'][number] | undefined, currency: string): LineMoney {
  const money = (amount: string | null | undefined): Money | null => (amount ? toMoney(amount, currency) : null)
  return {
    unit_price: money(line?.unit_price),
    list_unit_price: money(line?.list_unit_price),
    discount: money(line?.discount),
    tax: money(line?.tax.amount),
    line_total: money(line?.line_total),
  }
}

/** Returns the totals of a cart or an order. */
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

export function toPricingView(cart: CartRecord, isPriced: boolean): Cart['pricing'] {
  const last = cart.pricing as StoredCartPricing | null
  if (!last?.complete_once) return { state: 'UNPRICED', priced_at: null, expires_at: null }
  return { state: isPriced ? 'PRICED' : 'STALE', priced_at: last.priced_at, expires_at: last.expires_at }
}

function toCreditView(total: string, credit: StoredCredit, currency: string): NonNullable<Cart['credit']> {
  const { enabled, available_credit, as_of } = credit
  const left = enabled && available_credit !== null ? new Decimal(available_credit) : null
  const shortfall = left && new Decimal(total).minus(left)
  const exceeds = shortfall?.gt(0) ?? false
  return {
    enabled,
    would_exceed: exceeds,
    shortfall: exceeds ? toMoney(shortfall!.toFixed(currencyDigits(currency)), currency) : null,
    available_credit: left && toMoney(left.toFixed(), currency),
    as_of,
  }
}

type PromotionView = Omit<QuotedPromotion, 'discount'> & { discount: string | null }

/** Returns the promotions of a cart with the result of the last pricing. */
function toPromotions(codes: readonly CartPromotionCode[], pricing: StoredCartPricing | null): PromotionView[] {
  return codes.map(({ code, description }, at) => {
    const priced = pricing?.promotions[at]
    return priced ? { ...priced, code } : { code, status: 'APPLIED', reason: null, description, discount: null }
  })
}
