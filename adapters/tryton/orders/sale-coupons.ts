import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import { type CouponRow, createPromotionReader } from '../pricing/promotion-reader.ts'

const Count = responseSchema(Type.Integer())

/** The coupons of an order's codes. What Tryton does not know, or no longer, is left out. */
export async function readSaleCoupons(
  { rpc, abilities, settings }: AccountingContext,
  draft: OrderDraft,
  call: Call,
): Promise<CouponRow[]> {
  const codes = draft.promotions.map(({ code }) => code)
  // Asked for what the codes mean alone: days do not matter.
  const reader = createPromotionReader(rpc, abilities, settings, () => '')
  const found = await reader.coupons(codes, Number(draft.customer_id), call)
  return found.filter((coupon) => coupon !== null)
}

/**
 * Whether its coupons are used more often than they may be, this sale included. Tryton itself takes a used one; of two sales that take the
 * last use at once, at least one comes here after the other was made.
 */
export async function hasOverusedCoupon(ledger: AccountingContext, draft: OrderDraft, call: Call): Promise<boolean> {
  if (draft.promotions.length === 0) return false
  const coupons = await readSaleCoupons(ledger, draft, call)
  const limited = coupons.filter(({ 'coupon.': { number_of_use } }) => number_of_use > 0)
  const over = limited.map(async ({ id, 'coupon.': { number_of_use, per_party } }) => {
    const whose = per_party ? [['party', '=', Number(draft.customer_id)]] : []
    const uses = await ledger.rpc(Count, 'sale.sale.search_count', [[['coupons', '=', id], ...whose]], call)
    return uses > number_of_use
  })
  return (await Promise.all(over)).includes(true)
}
