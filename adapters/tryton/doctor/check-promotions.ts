import { abbreviateList } from '../../../src/doctor/abbreviate-list.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { createPromotionReader, type PromotionRow } from '../pricing/promotion-and-coupon-reader.ts'
import { toPromotion } from '../pricing/promotion-quotes.ts'
import type { ExaminationContext } from './examination-context.ts'

const REMEDY =
  'Use only + - * / ( ) unit_price, numbers, Decimal("0.9"), quantize, min and max in the formula. Give the minimum amount in the currency of the shop'

/** Reports promotions, current or upcoming, that Forecourt cannot compute. */
export async function checkPromotions(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, settings, facts, call } = context
  if (!hasAnySystem(context, 'pricing', 'accounting')) return []
  const capabilities = createCapabilities(rpc, () => facts.now().getTime())
  const todayInMerchantZone = () => dateInTimeZone(facts.timeZone, facts.now())
  const rows = await createPromotionReader(rpc, capabilities, settings, todayInMerchantZone).readPromotions(
    'all',
    call(),
  )
  const notComputable = rows.filter((row) => toPromotion(row, facts.currency).formula === null)
  const [withCodes, automatic] = [notComputable.filter(hasCodes), notComputable.filter((row) => !hasCodes(row))]
  const describe = (promotions: readonly PromotionRow[]) =>
    abbreviateList(promotions.map(({ name, formula }) => `"${name}" (${formula})`))
  const goodsProblem = 'cannot be computed, so their products have no price in the storefront'
  const codesProblem = 'cannot be computed, so the storefront reports their codes as unknown'
  return [
    ...(automatic.length === 0
      ? []
      : [createFinding('error', 'promotion_unread', `Promotions ${goodsProblem}: ${describe(automatic)}`, REMEDY)]),
    ...(withCodes.length === 0
      ? []
      : [
          createFinding(
            'warning',
            'promotion_code_unread',
            `Promotions ${codesProblem}: ${describe(withCodes)}`,
            REMEDY,
          ),
        ]),
  ]
}

const hasCodes = ({ coupons = [] }: PromotionRow) => coupons.length > 0
