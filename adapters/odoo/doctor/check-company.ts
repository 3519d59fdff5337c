import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { OdooId } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { ExaminationContext } from './examination-context.ts'

const Companies = foundShape(
  Type.Object({
    id: OdooId,
    currency_id: Type.Object({ id: OdooId, name: Type.String() }),
    tax_calculation_rounding_method: Type.Optional(Type.String()),
    account_use_credit_limit: Type.Optional(Type.Boolean()),
  }),
)
const UserContext = responseSchema(Type.Object({ uid: OdooId }))
const Flag = responseSchema(Type.Boolean())

/** Checks what prices, totals and orders depend on in Odoo: the company's currency, rounding and credit limits, and locked orders. */
export async function checkCompany(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, settings, facts, call } = context
  const company = settings.company ?? 1
  const specification = {
    currency_id: { fields: { name: {} } },
    ...(hasAnySystem(context, 'accounting') && { tax_calculation_rounding_method: {}, account_use_credit_limit: {} }),
  }
  const search = { domain: [['id', '=', company]], specification }
  const [row] = (await rpc.search(Companies, 'res.company', search, call())).records
  if (!row) return []
  const findings: DoctorFinding[] = []
  if (row.currency_id.name !== facts.currency)
    findings.push(
      createFinding(
        'error',
        'currency',
        `company ${company} has the currency ${row.currency_id.name}, but the configuration says ${facts.currency}`,
        `Set merchants.${facts.merchant}.currency to ${row.currency_id.name}, or set {path}.company to another company`,
      ),
    )
  if (row.tax_calculation_rounding_method === 'round_globally')
    findings.push(
      createFinding(
        'note',
        'tax_rounding',
        'Odoo rounds taxes per document: orders with fractions of units, or with prices that include tax and goods with a tax of 0 %, can differ from their cart by a cent, and are then refused',
        'If the shop sells such goods, set "Tax Calculation Rounding Method" to "Round per Line" in Odoo (Invoicing > Configuration > Settings)',
      ),
    )
  if (row.account_use_credit_limit === false)
    findings.push(
      createFinding(
        'note',
        'credit_limit',
        'sales credit limits are off: no customer can order on credit terms',
        'To offer credit terms, turn on "Sales Credit Limit" in Odoo (Invoicing > Configuration > Settings)',
      ),
    )
  return [...findings, ...(await checkLock(context))]
}

/** Locked orders cannot be cancelled, so shoppers could not cancel any. */
async function checkLock({ rpc, call, systems }: ExaminationContext): Promise<DoctorFinding[]> {
  if (!systems.includes('accounting')) return []
  const { uid } = await rpc.call(UserContext, 'res.users/context_get', {}, call())
  const args = { ids: [uid], group_ext_id: 'sale.group_auto_done_setting' }
  if (!(await rpc.call(Flag, 'res.users/has_group', args, call()))) return []
  return [
    createFinding(
      'warning',
      'locked_orders',
      'Odoo locks confirmed orders: shoppers cannot cancel them',
      'Turn off "Lock Confirmed Sales" in Odoo (Sales > Configuration > Settings), or tell shoppers to call',
    ),
  ]
}
