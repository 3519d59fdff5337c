import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonBoolean, TrytonDate, TrytonDecimal, TrytonId, toTrytonDate } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const PromotionRow = Type.Object({
  id: TrytonId,
  name: Type.String(),
  active: TrytonBoolean,
  start_date: nullable(TrytonDate),
  end_date: nullable(TrytonDate),
  price_list: nullable(TrytonId),
  amount: nullable(TrytonDecimal),
  untaxed_amount: nullable(TrytonBoolean),
  quantity: nullable(Type.Number()),
  unit: nullable(TrytonId),
  products: Type.Array(TrytonId),
  categories: Type.Array(TrytonId),
  formula: Type.String(),
  coupons: Type.Optional(Type.Array(TrytonId)),
  'currency.': Type.Optional(nullable(Type.Object({ code: Type.String() }))),
})
const PromotionRows = responseSchema(Type.Array(PromotionRow))
export type PromotionRow = Static<typeof PromotionRow>
const PROMOTION_FIELDS = Object.keys(PromotionRow.properties).filter(
  (name) => !['id', 'coupons', 'currency.'].includes(name),
)

const CouponRow = Type.Object({
  id: TrytonId,
  number: Type.String(),
  active: TrytonBoolean,
  'coupon.': Type.Object({
    id: TrytonId,
    number_of_use: Type.Integer(),
    per_party: nullable(TrytonBoolean),
    promotion: TrytonId,
  }),
})
const CouponRows = responseSchema(Type.Array(CouponRow))
/** A coupon number, which a shopper types, with its coupon and promotion. */
export type CouponRow = Static<typeof CouponRow>
const COUPON_FIELDS = [
  'number',
  'active',
  ...['number_of_use', 'per_party', 'promotion'].map((name) => `coupon.${name}`),
]

/** Tryton adds `active = true` to every list of a domain with an `OR`, whatever else it says. */
const INCLUDE_INACTIVE = { active_test: false }

export interface PromotionReader {
  /** Reads the automatic promotions that have not ended plus those with these ids, or all that have not ended; ordered by id. */
  readPromotions(ids: readonly number[] | 'all', call: Call): Promise<PromotionRow[]>
  /** Reads the coupon number of each code, or `null`. `active`: this party may use it once more. */
  readCoupons(codes: readonly string[], party: number, call: Call): Promise<(CouponRow | null)[]>
}

export function createPromotionReader(
  rpc: Rpc,
  capabilities: Capabilities,
  settings: TrytonSettings,
  today: () => string,
): PromotionReader {
  const company = settings.company ?? 1
  return {
    async readPromotions(ids, call) {
      if (!(await capabilities.has('promotions', call))) return []
      const coupons = (await capabilities.has('coupons', call)) ? ['coupons'] : []
      const notOver = ['OR', [['end_date', '=', null]], [['end_date', '>=', toTrytonDate(today())]]]
      const notEnded = [['active', '=', true], notOver]
      const automatic = [...notEnded, ...coupons.map((name) => [name, '=', null])]
      const wanted = ids === 'all' ? notEnded : ids.length === 0 ? automatic : ['OR', automatic, [['id', 'in', ids]]]
      const domain = [['company', '=', company], wanted]
      const fields = [...PROMOTION_FIELDS, ...coupons, 'currency.code']
      const params = [domain, 0, null, [['id', 'ASC']], fields]
      return rpc(PromotionRows, 'sale.promotion.search_read', params, call, INCLUDE_INACTIVE)
    },
    async readCoupons(codes, party, call) {
      if (codes.length === 0) return []
      if (!(await capabilities.has('coupons', call))) return codes.map(() => null)
      const trimmedCodes = codes.map((code) => code.trim())
      const numberDomain = trimmedCodes.map((code) => [['number', 'ilike', code.replace(/[\\%_]/g, '\\$&')]])
      const domain = [
        ['coupon.promotion.company', '=', company],
        ['OR', ...numberDomain],
      ]
      const params = [domain, 0, null, [['id', 'ASC']], COUPON_FIELDS]
      const rows = await rpc(CouponRows, 'sale.promotion.coupon.number.search_read', params, call, {
        party,
        ...INCLUDE_INACTIVE,
      })
      return trimmedCodes.map((code) => findCoupon(code, rows))
    },
  }
}

/** Returns the coupon that is spelled exactly so, or else the only one that differs in case. */
function findCoupon(code: string, rows: readonly CouponRow[]): CouponRow | null {
  const matches = rows.filter(({ number }) => number.toLowerCase() === code.toLowerCase())
  return matches.find(({ number }) => number === code) ?? (matches.length === 1 ? matches[0]! : null)
}
