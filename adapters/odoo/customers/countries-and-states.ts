import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { OdooId, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'

const Countries = foundShape(Type.Object({ id: OdooId, code: OdooText }))
const State = Type.Object({ id: OdooId, code: Type.String(), name: Type.String() })
const States = foundShape(State)

/** Odoo's countries and states. */
export interface CountriesAndStates {
  /** Returns the id of a country by its ISO 3166-1 code. */
  findCountry(code: string, call: Call): Promise<number | undefined>
  /** Returns the id of the state of a country with this name or code. */
  findState(country: number, region: string, call: Call): Promise<number | undefined>
}

export function createCountriesAndStates(rpc: Rpc, nowMs: () => number): CountriesAndStates {
  const options = { maxAgeMs: 3_600_000, now: nowMs }
  const readCountries = createCachedTableLoader(async (call) => {
    const search = { domain: [], specification: { code: {} } }
    const { records } = await rpc.search(Countries, 'res.country', search, call)
    return new Map(records.flatMap(({ id, code }) => (code ? [[code, id] as const] : [])))
  }, options)
  const loadStates = (country: number) => async (call: Call) => {
    const search = { domain: [['country_id', '=', country]], specification: { code: {}, name: {} } }
    return (await rpc.search(States, 'res.country.state', search, call)).records
  }
  const stateReaders = new Map<number, (call: Call) => Promise<Static<typeof State>[]>>()

  return {
    findCountry: async (code, call) => (await readCountries(call)).get(code),
    async findState(country, region, call) {
      const readStates = stateReaders.get(country) ?? createCachedTableLoader(loadStates(country), options)
      stateReaders.set(country, readStates)
      const wanted = region.trim().toLowerCase()
      const states = await readStates(call)
      return states.find(({ name, code }) => [name, code].some((one) => one.toLowerCase() === wanted))?.id
    },
  }
}
