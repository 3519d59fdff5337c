import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import type { ExaminationContext } from './examination-context.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))

/** Checks the default country, which is shown in every address that has none in Tryton. */
export async function checkDefaultCountry(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { country } = context.settings
  if (country === undefined) return []
  if (!isCountry(country)) {
    const remedy = 'Set {path}.country to the two-letter ISO 3166-1 code of the country, such as JM'
    return [createFinding('error', 'country', `there is no country "${country}"`, remedy)]
  }
  try {
    if (await hasCountry(context, [['code', '=', country]])) return []
    return [toMissingCountry(country, await hasCountry(context, []))]
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.failure !== 'rejected') throw error
    const remedy = 'Give a group of the account "read" on country.country'
    return [
      createFinding(
        'note',
        'country',
        `the account may not read countries, so the doctor cannot check whether Tryton has ${country}`,
        remedy,
      ),
    ]
  }
}

const hasCountry = async ({ rpc, call }: ExaminationContext, domain: unknown[]) =>
  (await rpc(Ids, 'country.country.search', [domain, 0, 1, null], call())).length > 0

const toMissingCountry = (country: string, hasOtherCountries: boolean) =>
  createFinding(
    'warning',
    'country',
    hasOtherCountries
      ? `Tryton has no country ${country}`
      : 'Tryton has no countries: addresses are stored without one',
    hasOtherCountries
      ? 'Set {path}.country to a country that Tryton has, or add it there (Administration > Countries)'
      : 'Import them on its server: trytond_import_countries',
  )

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** ZZ is named "unknown region". */
const isCountry = (code: string) => code !== 'ZZ' && countryNames.of(code) !== undefined
