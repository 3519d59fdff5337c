import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
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
/** A number that somebody types, of a coupon of a promotion. */
export type CouponRow = Static<typeof CouponRow>
const COUPON_FIELDS = [
  'number',
  'active',
  ...['number_of_use', 'per_party', 'promotion'].map((name) => `coupon.${name}`),
]

/** Tryton adds `active = true` to every list of a domain that has an `OR`, whatever else it says. */
const RETIRED_TOO = { active_test: false }

export interface PromotionReader {
  /** Those that apply by themselves and are not over, and those with these ids, or all that are not over; by their ids. */
  promotions(ids: readonly number[] | 'all', call: Call): Promise<PromotionRow[]>
  /** Of each code the number that it means, or `null`. `active`: whether this party may use it once more. */
  coupons(codes: readonly string[], party: number, call: Call): Promise<(CouponRow | null)[]>
}

export function createPromotionReader(
  rpc: Rpc,
  abilities: Capabilities,
  settings: TrytonSettings,
  today: () => string,
): PromotionReader {
  const company = settings.company ?? 1
  return {
    async promotions(ids, call) {
      if (!(await abilities.has('promotions', call))) return []
      const coupons = (await abilities.has('coupons', call)) ? ['coupons'] : []
      const notOver = ['OR', [['end_date', '=', null]], [['end_date', '>=', toTrytonDate(today())]]]
      const open = [['active', '=', true], notOver]
      const unasked = [...open, ...coupons.map((name) => [name, '=', null])]
      const wanted = ids === 'all' ? open : ids.length === 0 ? unasked : ['OR', unasked, [['id', 'in', ids]]]
      const domain = [['company', '=', company], wanted]
      const fields = [...PROMOTION_FIELDS, ...coupons, 'currency.code']
      const params = [domain, 0, null, [['id', 'ASC']], fields]
      return rpc(PromotionRows, 'sale.promotion.search_read', params, call, RETIRED_TOO)
    },
    async coupons(codes, party, call) {
      if (codes.length === 0) return []
      if (!(await abilities.has('coupons', call))) return codes.map(() => null)
      const typed = codes.map((code) => code.trim())
      const any = typed.map((code) => [['number', 'ilike', code.replace(/[\\%_]/g, '\\$&')]])
      const domain = [
        ['coupon.promotion.company', '=', company],
        ['OR', ...any],
      ]
      const params = [domain, 0, null, [['id', 'ASC']], COUPON_FIELDS]
      const rows = await rpc(CouponRows, 'sale.promotion.coupon.number.search_read', params, call, {
        party,
        ...RETIRED_TOO,
      })
      return typed.map((code) => meant(code, rows))
    },
  }
}

/** As it is spelt there, or else the one that differs in upper and lower case alone. */
function meant(code: string, rows: readonly CouponRow[]): CouponRow | null {
  const alike = rows.filter(({ number }) => number.toLowerCase() === code.toLowerCase())
  return alike.find(({ number }) => number === code) ?? (alike.length === 1 ? alike[0]! : null)
}
