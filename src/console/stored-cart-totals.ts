import { Decimal } from 'decimal.js'
import type { StoredCartPricing } from '../commands/carts/stored-cart-pricing.ts'
import type { CartRecord } from '../storage/commerce/carts.ts'

export const readCartTotals = ({ pricing }: Pick<CartRecord, 'pricing'>) =>
  (pricing as StoredCartPricing | null)?.totals ?? null

export const toCartTotal = (cart: Pick<CartRecord, 'pricing'>): Decimal => new Decimal(readCartTotals(cart)?.total ?? 0)
