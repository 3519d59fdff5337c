import { Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import { createCachedTableLoader } from '../cached-table-loader.ts'
import { OdooId } from './client/odoo-values.ts'
import { foundShape, type Rpc } from './client/rpc.ts'
import { settingError } from './client/setting-error.ts'
import type { OdooSettings } from './settings.ts'

export interface Company {
  /** True when Odoo is set to have credit limits. */
  hasCreditLimits: boolean
  /** True when taxes are rounded over all lines of a document, and not on each line. */
  roundsGlobally: boolean
  /** The ISO 3166-1 code for addresses without a country, from the settings or from the company. */
  countryCode: string
}

const Companies = foundShape(
  Type.Object({
    id: OdooId,
    currency_id: Type.Object({ id: OdooId, name: Type.String() }),
    country_id: Type.Union([Type.Object({ id: OdooId, code: Type.String() }), Type.Literal(false)]),
    account_use_credit_limit: Type.Optional(Type.Boolean()),
    tax_calculation_rounding_method: Type.Optional(Type.String()),
  }),
)

export function createCompanyReader(rpc: Rpc, settings: OdooSettings, { currency, now }: MerchantFacts) {
  const load = async (call: Call): Promise<Company> => {
    const search = {
      domain: [['id', '=', settings.company ?? 1]],
      specification: {
        currency_id: { fields: { name: {} } },
        country_id: { fields: { code: {} } },
        account_use_credit_limit: {},
        tax_calculation_rounding_method: {},
      },
    }
    const [company] = (await rpc.search(Companies, 'res.company', search, call)).records
    if (!company)
      throw settingError(`the user of the key does not belong to company ${settings.company ?? 1} (setting company)`)
    if (company.currency_id.name !== currency)
      throw settingError(`the currency of the company in Odoo is not ${currency} (setting currency)`)
    return {
      hasCreditLimits: company.account_use_credit_limit ?? false,
      roundsGlobally: company.tax_calculation_rounding_method === 'round_globally',
      countryCode: settings.country ?? (company.country_id ? company.country_id.code : 'US'),
    }
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: () => now().getTime() })
}
