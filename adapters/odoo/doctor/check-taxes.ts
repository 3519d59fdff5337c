import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { createFinding } from '../../create-finding.ts'
import { formatCount } from '../../format-count.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { OdooId, OdooIds } from '../client/odoo-values.ts'
import { readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import { combineTaxes } from '../pricing/combined-tax.ts'
import { createTaxTableReader } from '../pricing/tax-tables.ts'
import type { ExaminationContext } from './examination-context.ts'

const Products = foundShape(Type.Object({ id: OdooId, default_code: Type.String(), taxes_id: OdooIds }))
const MAX_NAMES = 10

/** Names the products whose taxes the shop cannot compute: by a percentage of the price with tax, by a formula, or below zero. */
export async function checkTaxes(context: ExaminationContext): Promise<DoctorFinding[]> {
  if (!hasAnySystem(context, 'pricing', 'accounting')) return []
  const { rpc, settings, facts, call } = context
  const domain = [
    ['sale_ok', '=', true],
    ['default_code', '!=', false],
    ['company_id', 'in', [false, settings.company ?? 1]],
    ['taxes_id', '!=', false],
  ]
  const specification = { default_code: {}, taxes_id: {} }
  const [{ taxes }, products] = await Promise.all([
    createTaxTableReader(rpc, settings, () => facts.now().getTime())(call()),
    readAll(rpc, Products, 'product.product', { domain, specification }, call()),
  ])
  // The prices of another system have taxes by their rates alone.
  const isPricing = hasAnySystem(context, 'pricing')
  const unsupported = products.filter(({ taxes_id }) => {
    const tax = combineTaxes(taxes_id, taxes)
    return tax === null || !(isPricing || tax.isRate)
  })
  if (unsupported.length === 0) return []
  const names = unsupported.slice(0, MAX_NAMES).map(({ default_code }) => default_code)
  return [
    createFinding(
      'warning',
      'unsupported_tax',
      `${formatCount(unsupported.length, 'product has', 'products have')} taxes that the shop cannot compute, and cannot be bought: ${names.join(', ')}`,
      isPricing
        ? 'Give them taxes of the types Percentage, Fixed or Group of Taxes, none of them below zero'
        : 'Give each of them one tax of the type Percentage: another system has the prices',
    ),
  ]
}
