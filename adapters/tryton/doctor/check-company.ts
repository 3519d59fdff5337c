import { Type } from 'typebox'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import { type CheckContext, createFinding } from './check.ts'
import type { LoginAccount } from './check-login.ts'

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

/** Whether the company of the settings is there, is the account's, and keeps its books as the configuration says. */
export async function checkCompany(looker: CheckContext, account: LoginAccount): Promise<Finding[]> {
  const { rpc, settings, facts } = looker
  const params = [[], 0, 50, [['id', 'ASC']], ['party.name', 'currency.code', 'timezone']]
  const rows = await rpc(Companies, 'company.company.search_read', params, looker.call())
  const wanted = settings.company ?? 1
  const company = rows.find(({ id }) => id === wanted)
  if (!company) {
    const there = rows.map(({ id, 'party.': { name } }) => `${id} (${name})`).join(', ') || 'none at all'
    return [
      createFinding(
        'error',
        'company',
        `there is no company ${wanted}`,
        `Set {path}.company to one that is there: ${there}`,
      ),
    ]
  }
  const found: Finding[] = []
  if (!account.companies.includes(wanted))
    found.push(
      createFinding(
        'error',
        'company_of_account',
        `the account ${settings.user} does not belong to company ${wanted}: its orders and invoices are hidden from it`,
        `Give the account that company in Tryton (Administration > Users > ${settings.user}), or set {path}.company`,
      ),
    )
  const currency = company['currency.'].code
  if (currency !== facts.currency)
    found.push(
      createFinding(
        'error',
        'currency',
        `company ${wanted} keeps its books in ${currency}, and the configuration says ${facts.currency}`,
        `Set merchants.${facts.merchant}.currency to ${currency}, or name another company in {path}.company`,
      ),
    )
  if (company.timezone !== facts.timeZone)
    found.push(
      createFinding(
        'warning',
        'time_zone',
        `company ${wanted} dates its documents in ${company.timezone ?? 'no time zone'}, and the configuration says ${facts.timeZone}`,
        `Give company ${wanted} in Tryton the time zone ${facts.timeZone}, or set merchants.${facts.merchant}.time_zone: due dates would be a day off`,
      ),
    )
  return found
}
