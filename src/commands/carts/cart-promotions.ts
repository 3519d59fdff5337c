import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../../errors.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { CommandDependencies, CustomerCommandContext } from '../command-context.ts'
import { type CartEdit, editCart } from './edit-cart.ts'
import { toQuoteLine } from './live-pricing.ts'

/** So many codes that are refused may a customer try in a minute. */
const GUESSES = 10
const GUESSED_SECONDS = 60
/** More codes than this stand in no cart. */
const MOST_CODES = 20

/** Takes a code into the cart when pricing says that it applies; else the cart stays as it is, and `refused` says why. */
export async function addPromotion(
  place: CustomerCommandContext,
  cartId: string,
  code: string,
  edit: CartEdit,
): Promise<{ cart: CartRecord; refused: QuotedPromotion | null }> {
  let refused: QuotedPromotion | null = null
  const cart = await editCart(place, cartId, edit, async (before) => {
    if (heldCode(before, code)) return (same) => same
    const promotion = await guessing(place, () => answerTo(place, before, code))
    if (promotion.status !== 'APPLIED') {
      refused = promotion
      return (same) => same
    }
    const { code: spelt, description } = promotion
    return (now) =>
      heldCode(now, spelt) ? now : { ...now, promotions: [...now.promotions, { code: spelt, description }] }
  })
  return { cart, refused }
}

/** Throws `not_found` for a code that the cart does not have. */
export function removePromotion(
  place: CustomerCommandContext,
  cartId: string,
  code: string,
  edit: CartEdit,
): Promise<CartRecord> {
  return editCart(place, cartId, edit, () => (cart) => {
    const held = heldCode(cart, code)
    if (!held) throw new Problem('not_found')
    return { ...cart, promotions: cart.promotions.filter((other) => other !== held) }
  })
}

const heldCode = ({ promotions }: CartRecord, code: string) =>
  promotions.find((held) => held.code === code) ??
  promotions.find((held) => held.code.toUpperCase() === code.toUpperCase())

async function answerTo(
  { backOffice, customerId, requestScope }: CustomerCommandContext,
  cart: CartRecord,
  code: string,
) {
  const refusal = { code, status: 'NOT_APPLICABLE' as const, description: null, discount: '0' }
  if (cart.promotions.length >= MOST_CODES) return { ...refusal, reason: 'NOT_COMBINABLE' as const }
  const codes = [...cart.promotions.map((held) => held.code), code]
  const question = { customerId, lines: cart.lines.map(toQuoteLine), codes }
  const quote = await backOffice.quoteNow(question, { requestScope, priority: 'cart' })
  return quote.promotions[codes.length - 1] ?? { ...refusal, reason: 'UNKNOWN_CODE' as const }
}

const limiters = new WeakMap<CommandDependencies, RateLimiterMemory>()

function limiterOf(commerce: CommandDependencies): RateLimiterMemory {
  const known = limiters.get(commerce)
  if (known) return known
  const limiter = new RateLimiterMemory({ points: GUESSES, duration: GUESSED_SECONDS })
  limiters.set(commerce, limiter)
  return limiter
}

/** Charged before it is asked, so that guesses at once count too; given back for a code that applies, and when nobody could say. */
async function guessing(place: CustomerCommandContext, ask: () => Promise<QuotedPromotion>): Promise<QuotedPromotion> {
  const limiter = limiterOf(place.commerce)
  const guesser = `${place.tenantId}\n${place.mode}\n${place.customerId}`
  await limiter.consume(guesser).catch((spent: unknown) => {
    throw spent instanceof RateLimiterRes ? tooMany(spent) : spent
  })
  let refused = false
  try {
    const promotion = await ask()
    refused = promotion.status !== 'APPLIED'
    return promotion
  } finally {
    if (!refused) await limiter.reward(guesser)
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): Problem {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
  return new Problem('rate_limited', 'Too many codes were refused; see Retry-After.', {
    headers: { 'Retry-After': String(seconds) },
  })
}
