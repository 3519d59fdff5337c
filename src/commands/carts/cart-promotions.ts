import { createNotFound } from '../../errors.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { type CartEdit, editCart } from './edit-cart.ts'
import { toQuoteLine } from './live-pricing.ts'

const MAX_CODES = 20

/** Adds a code to the cart if pricing applies it. Otherwise the cart stays unchanged, and `refused` is pricing's result for the code. */
export async function addPromotion(
  context: CustomerCommandContext,
  cartId: string,
  code: string,
  edit: CartEdit,
): Promise<{ cart: CartRecord; refused: QuotedPromotion | null }> {
  let refused: QuotedPromotion | null = null
  const cart = await editCart(context, cartId, edit, async (before) => {
    if (findPromotion(before, code)) return (unchanged) => unchanged
    const promotion = await throttleGuess(context, () => quoteCode(context, before, code))
    if (promotion.status !== 'APPLIED') {
      refused = promotion
      return (unchanged) => unchanged
    }
    const { code: canonicalCode, description } = promotion
    return (current) =>
      findPromotion(current, canonicalCode)
        ? current
        : { ...current, promotions: [...current.promotions, { code: canonicalCode, description }] }
  })
  return { cart, refused }
}

/** Throws `not_found` for a code that the cart does not have. */
export function removePromotion(
  context: CustomerCommandContext,
  cartId: string,
  code: string,
  edit: CartEdit,
): Promise<CartRecord> {
  return editCart(context, cartId, edit, () => (cart) => {
    const promotion = findPromotion(cart, code)
    if (!promotion) throw createNotFound('promotion')
    return { ...cart, promotions: cart.promotions.filter((other) => other !== promotion) }
  })
}

const findPromotion = ({ promotions }: CartRecord, code: string) =>
  promotions.find((promotion) => promotion.code === code) ??
  promotions.find((promotion) => promotion.code.toUpperCase() === code.toUpperCase())

async function quoteCode(
  { backOffice, customerId, requestScope }: CustomerCommandContext,
  cart: CartRecord,
  code: string,
) {
  const refusal = { code, status: 'NOT_APPLICABLE' as const, description: null, discount: '0' }
  if (cart.promotions.length >= MAX_CODES) return { ...refusal, reason: 'NOT_COMBINABLE' as const }
  const codes = [...cart.promotions.map((promotion) => promotion.code), code]
  const query = { customerId, lines: cart.lines.map(toQuoteLine), codes }
  const quote = await backOffice.quoteNow(query, { requestScope, priority: 'cart' })
  return quote.promotions[codes.length - 1] ?? { ...refusal, reason: 'UNKNOWN_CODE' as const }
}

/** Counts the attempt before the call, so that concurrent guesses count too. Gives it back unless pricing refused the code. */
async function throttleGuess(
  { commerce: { throttle }, tenant, customerId }: CustomerCommandContext,
  quoteCode: () => Promise<QuotedPromotion>,
): Promise<QuotedPromotion> {
  await throttle.take('promotionCodes', tenant, customerId)
  let isRefused = false
  try {
    const promotion = await quoteCode()
    isRefused = promotion.status !== 'APPLIED'
    return promotion
  } finally {
    if (!isRefused) await throttle.refund('promotionCodes', tenant, customerId)
  }
}
