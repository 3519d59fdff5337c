import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedLoader } from '../../shared-load.ts'
import { OdooId, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'

const Countries = foundShape(Type.Object({ id: OdooId, code: OdooText }))
const States = foundShape(Type.Object({ id: OdooId, code: Type.String(), name: Type.String(), country_id: OdooId }))

/** Odoo's countries and states. */
export interface Places {
  /** Ids by ISO 3166-1 code. */
  countries: ReadonlyMap<string, number>
  /** Returns the state of a country with this name or code. */
  findState(country: number, region: string): number | undefined
}

export function createPlaceReader(rpc: Rpc, nowMs: () => number) {
  const load = async (call: Call): Promise<Places> => {
    const [countries, states] = await Promise.all([
      rpc.search(Countries, 'res.country', { domain: [], specification: { code: {} } }, call),
      rpc.search(
        States,
        'res.country.state',
        { domain: [], specification: { code: {}, name: {}, country_id: {} } },
        call,
      ),
    ])
    const byCountry = Map.groupBy(states.records, ({ country_id }) => country_id)
    return {
      countries: new Map(countries.records.flatMap(({ id, code }) => (code ? [[code, id] as const] : []))),
      findState: (country, region) => {
        const wanted = region.trim().toLowerCase()
        const found = byCountry
          .get(country)
          ?.find(({ name, code }) => [name, code].some((one) => one.toLowerCase() === wanted))
        return found?.id
      },
    }
  }
  return createCachedLoader(load, { maxAgeMs: 3_600_000, now: nowMs })
}
