import type { Call } from '../../ports/call.ts'
import type { PricingPort, Quote, QuoteRequest } from '../../ports/pricing.ts'

/** A pricing port that can price carts. */
export type CartPricingPort = PricingPort & Required<Pick<PricingPort, 'quote'>>

/** Prices a cart with its promotions: in one operation, or in two for a system that applies promotions afterwards. */
export async function quoteCart(port: CartPricingPort, request: QuoteRequest, call: Call): Promise<Quote> {
  if (!port.promotions) return port.quote(request, call)
  const { lines, as_of } = await port.quote({ ...request, codes: [] }, call)
  return { ...(await port.promotions(request, lines, call)), as_of }
}
