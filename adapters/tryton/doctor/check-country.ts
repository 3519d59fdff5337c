import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type CheckContext, createFinding } from './check.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))

/** The country of the settings stands in every address for which Tryton has none: a wrong one is shown to shoppers. */
export async function checkCountry(looker: CheckContext): Promise<Finding[]> {
  const { country } = looker.settings
  if (country === undefined) return []
  if (!isCountry(country)) {
    const remedy = 'Set {path}.country to the ISO 3166-1 code of the country, of two letters: JM'
    return [createFinding('error', 'country', `there is no country "${country}"`, remedy)]
  }
  try {
    if (await isKept(looker, [['code', '=', country]])) return []
    return [unkept(country, await isKept(looker, []))]
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.failure !== 'rejected') throw error
    const remedy = 'Give a group of the account "read" on country.country'
    return [
      createFinding(
        'note',
        'country',
        `whether Tryton knows the country ${country} is hidden from the account`,
        remedy,
      ),
    ]
  }
}

const isKept = async ({ rpc, call }: CheckContext, domain: unknown[]) =>
  (await rpc(Ids, 'country.country.search', [domain, 0, 1, null], call())).length > 0

const unkept = (country: string, others: boolean) =>
  createFinding(
    'warning',
    'country',
    others ? `Tryton has no country ${country}` : 'Tryton has no countries: addresses are kept without one',
    others
      ? 'Set {path}.country to a country that Tryton has, or add it there (Administration > Countries)'
      : 'Load them on its server: trytond_import_countries',
  )

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** ZZ has a name of its own: that it is none. */
const isCountry = (code: string) => code !== 'ZZ' && names.of(code) !== undefined
