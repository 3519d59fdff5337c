import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { OdooId } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import { PromotionRule, promotionSpecification, toPromotion } from '../pricing/promotion-rules.ts'
import type { ExaminationContext } from './examination-context.ts'

const Programs = foundShape(Type.Object({ id: OdooId, name: Type.String(), trigger: Type.String() }))
const Rules = foundShape(PromotionRule)
const MAX_NAMES = 10

/**
 * Checks for promotions of the module sale_loyalty that the shop does not apply. Odoo prices them only for a stored order, so
 * a cart could not show what a checkout would charge. The shop computes the discounts of some codes itself.
 */
export async function checkPromotions(context: ExaminationContext): Promise<DoctorFinding[]> {
  if (!hasAnySystem(context, 'pricing', 'accounting')) return []
  const programs = await readPrograms(context)
  const applied = programs.length === 0 ? new Set<number>() : await readAppliedPrograms(context)
  const namesOf = (trigger: string) =>
    programs.filter((one) => one.trigger === trigger && !applied.has(one.id)).map(({ name }) => name)
  return [
    ...toFindings(
      namesOf('with_code'),
      'promotion_code',
      (names) => `the shop accepts none of the codes of these programs: ${names}`,
      'Do not advertise these codes for the shop, or use a price list for the discount',
    ),
    ...toFindings(
      namesOf('auto'),
      'promotion',
      (names) => `orders of the shop get no rewards of these programs until staff add them: ${names}`,
      'Use a price list for discounts that all orders should get',
    ),
  ]
}

async function readPrograms({ rpc, settings, call }: ExaminationContext) {
  const domain = [
    ['sale_ok', '=', true],
    ['company_id', 'in', [false, settings.company ?? 1]],
    ['program_type', 'not in', ['gift_card', 'ewallet']],
  ]
  const search = { domain, specification: { name: {}, trigger: {} }, order: 'sequence, id' }
  try {
    return (await rpc.search(Programs, 'loyalty.program', search, call())).records
  } catch (error) {
    // Without the module, there are no promotions.
    if (error instanceof UpstreamError && error.failure === 'not_configured') return []
    throw error
  }
}

/** Returns the programs whose code the shop applies. */
async function readAppliedPrograms({ rpc, facts, call }: ExaminationContext): Promise<Set<number>> {
  const search = { domain: [['mode', '=', 'with_code']], specification: promotionSpecification, order: 'id' }
  const { records } = await rpc.search(Rules, 'loyalty.rule', search, call())
  const terms = { currency: facts.currency, keepsUnitPrices: rpc.hasJson2() }
  return new Set(records.filter((rule) => toPromotion(rule, terms) !== null).map(({ program_id }) => program_id.id))
}

function toFindings(
  names: string[],
  check: string,
  describe: (names: string) => string,
  remedy: string,
): DoctorFinding[] {
  if (names.length === 0) return []
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return [createFinding('warning', check, describe(names.slice(0, MAX_NAMES).join(', ') + more), remedy)]
}
