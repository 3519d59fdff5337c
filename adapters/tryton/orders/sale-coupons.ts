import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { TrytonContext } from '../context.ts'
import { type CouponRow, createPromotionReader } from '../pricing/promotion-and-coupon-reader.ts'

const Count = responseSchema(Type.Integer())

/** Reads the coupons of the codes of an order. Codes that are unknown or expired are left out. */
export async function readSaleCoupons(
  { rpc, capabilities, settings }: TrytonContext,
  draft: OrderDraft,
  call: Call,
): Promise<CouponRow[]> {
  const codes = draft.promotions.map(({ code }) => code)
  // Only coupons are read, and those do not depend on the date.
  const reader = createPromotionReader(rpc, capabilities, settings, () => '')
  const found = await reader.readCoupons(codes, Number(draft.customer_id), call)
  return found.filter((coupon) => coupon !== null)
}

/**
 * Returns true when a coupon of the order is used more often than allowed, this sale included. Tryton itself accepts a
 * used-up coupon. Of two sales that take the last use at once, at least one gets here after the other was created.
 */
export async function hasOverusedCoupon(context: TrytonContext, draft: OrderDraft, call: Call): Promise<boolean> {
  if (draft.promotions.length === 0) return false
  const coupons = await readSaleCoupons(context, draft, call)
  const limited = coupons.filter(({ 'coupon.': { number_of_use } }) => number_of_use > 0)
  const overused = limited.map(async ({ id, 'coupon.': { number_of_use, per_party } }) => {
    const partyDomain = per_party ? [['party', '=', Number(draft.customer_id)]] : []
    const uses = await context.rpc(Count, 'sale.sale.search_count', [[['coupons', '=', id], ...partyDomain]], call)
    return uses > number_of_use
  })
  return (await Promise.all(overused)).includes(true)
}
