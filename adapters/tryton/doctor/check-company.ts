import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import type { LoginAccount } from './check-login.ts'
import type { ExaminationContext } from './examination-context.ts'

const Companies = responseSchema(
  Type.Array(
    Type.Object({
      id: TrytonId,
      timezone: nullable(Type.String()),
      'party.': Type.Object({ name: nullable(Type.String()) }),
      'currency.': Type.Object({ code: nullable(Type.String()) }),
    }),
  ),
)

/** Checks that the company exists, that the account belongs to it, and that its currency and time zone match the configuration. */
export async function checkCompany(context: ExaminationContext, account: LoginAccount): Promise<DoctorFinding[]> {
  const { rpc, settings, facts } = context
  const params = [[], 0, 50, [['id', 'ASC']], ['party.name', 'currency.code', 'timezone']]
  const rows = await rpc(Companies, 'company.company.search_read', params, context.call())
  const companyId = settings.company ?? 1
  const company = rows.find(({ id }) => id === companyId)
  if (!company) {
    const existing = rows.map(({ id, 'party.': { name } }) => `${id} (${name})`).join(', ') || 'none'
    return [
      createFinding(
        'error',
        'company',
        `there is no company ${companyId}`,
        `Set {path}.company to an existing one: ${existing}`,
      ),
    ]
  }
  const findings: DoctorFinding[] = []
  if (!account.companies.includes(companyId))
    findings.push(
      createFinding(
        'error',
        'company_of_account',
        `the account ${settings.user} does not belong to company ${companyId}: it cannot read its orders and invoices`,
        `Add the company to the account in Tryton (Administration > Users > ${settings.user}), or set {path}.company`,
      ),
    )
  const currency = company['currency.'].code
  if (currency !== facts.currency)
    findings.push(
      createFinding(
        'error',
        'currency',
        `company ${companyId} has the currency ${currency}, but the configuration says ${facts.currency}`,
        `Set merchants.${facts.merchant}.currency to ${currency}, or set {path}.company to another company`,
      ),
    )
  if (company.timezone !== facts.timeZone)
    findings.push(
      createFinding(
        'warning',
        'time_zone',
        `company ${companyId} has ${company.timezone ? `the time zone ${company.timezone}` : 'no time zone'}, but the configuration says ${facts.timeZone}`,
        `Set the time zone of company ${companyId} in Tryton to ${facts.timeZone}, or set merchants.${facts.merchant}.time_zone: otherwise due dates are a day off`,
      ),
    )
  return findings
}
