import type { Finding } from '../../../src/ports/adapter.ts'
import { createAbilities } from '../client/capabilities.ts'
import { dayIn } from '../time-zone.ts'
import { concerns, finding, type Looker, some } from './check.ts'
import { promotionOf } from '../pricing/promotion-quotes.ts'
import { type PromotionRow, promotionReader } from '../pricing/promotion-reader.ts'

const REMEDY =
  'Write the formula with + - * / ( ) unit_price, numbers, Decimal("0.9"), quantize, min and max alone, and its amount in the currency of the shop'

/** Promotions, open or to come, that nobody here can count. */
export async function lookAtPromotions(looker: Looker): Promise<Finding[]> {
  const { rpc, settings, facts, call } = looker
  if (!concerns(looker, 'pricing', 'accounting')) return []
  const abilities = createAbilities(rpc, () => facts.now().getTime())
  const today = () => dayIn(facts.timeZone, facts.now())
  const rows = await promotionReader(rpc, abilities, settings, today).promotions('all', call())
  const unread = rows.filter((row) => promotionOf(row, facts.currency).formula === null)
  const [coded, open] = [unread.filter(hasCodes), unread.filter((row) => !hasCodes(row))]
  const named = (own: readonly PromotionRow[]) => some(own.map(({ name, formula }) => `"${name}" (${formula})`))
  const goods = 'cannot be counted: the goods that they are for have no price in the storefront'
  const codes = 'cannot be counted: their codes are not known in the storefront'
  return [
    ...(open.length === 0 ? [] : [finding('error', 'promotion_unread', `Promotions ${goods}: ${named(open)}`, REMEDY)]),
    ...(coded.length === 0
      ? []
      : [finding('warning', 'promotion_code_unread', `Promotions ${codes}: ${named(coded)}`, REMEDY)]),
  ]
}

const hasCodes = ({ coupons = [] }: PromotionRow) => coupons.length > 0
