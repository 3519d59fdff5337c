import { expect } from 'chai'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { MINUTE_MS, toClock } from './outage-times.ts'
import type { SystemOutage } from './system-outage.ts'

const hang = { system: 'pricing', failure: 'timeout', summary: 'no response in 703 ms' } as const
const login = { system: 'pricing', failure: 'unauthorized', summary: 'responded 401' } as const
const cart = { route: 'priceCart', method: 'POST', url: '/v1/carts/cart_1/price', status: 504 } as const
const texts = { list: [], page: [] }

/** Product pages lack prices, carts lack totals, and then product pages lack prices again. */
function createOutage(failure: typeof hang | typeof login): SystemOutage {
  const price = { failed: [{ name: 'price', ...failure }] }
  const total = { ...cart, code: 'downstream_timeout', failed: [{ name: 'pricing', ...failure }] }
  return { ...{ name: 'prices and cart totals', ...texts }, responses: [price, total, price] }
}

/** Nobody asks for the total of a cart, but product pages have prices again. */
async function recoverPrices({ recover, diagnostics, clock }: OutageConsole, outage: SystemOutage): Promise<void> {
  await recover({ responses: outage.responses.slice(0, 1) })
  clock.ms += 6 * MINUTE_MS
  await diagnostics.flush()
}

const pausing: SystemOutage = {
  ...{ name: 'calls are paused', ...texts },
  responses: [
    { failed: [{ name: 'price', system: 'pricing', failure: 'circuit_open', openedBy: 'connection refused' }] },
  ],
}

const NOT_PAUSED = 'Calls were not paused: that takes several failures in a short time.'

describe('the sections of one outage, whose system fails in several outages', () => {
  let outages: OutageConsole

  beforeEach(async () => {
    outages = await openOutageConsole()
  })
  afterEach(() => outages[Symbol.asyncDispose]())

  async function readIncidents(section: string): Promise<string[]> {
    const rows = await outages.db
      .selectFrom('incidents')
      .select('incident_id')
      .where('section', '=', section)
      .orderBy('began_at')
      .execute()
    return Promise.all(rows.map(({ incident_id }) => outages.readText(`/incidents/${incident_id}`)))
  }

  it('do not count as later failures of each other', async () => {
    await outages.recordOutage(createOutage(hang))
    await recoverPrices(outages, createOutage(hang))
    for (const section of ['price', 'pricing']) {
      const [page] = await readIncidents(section)
      expect(page).to.match(/What to do: Nothing is (urgent|known to fail now)/)
      expect(page).to.not.match(/failed again|was degraded after that/)
    }
  })

  it('all name the first section of the next outage', async () => {
    const { clock, recordOutage, recover } = outages
    await recordOutage(createOutage(hang))
    await recover(createOutage(hang))
    clock.ms += MINUTE_MS
    const next = toClock(clock.ms)
    await recordOutage(createOutage(hang))
    await recover(createOutage(hang))
    for (const section of ['price', 'pricing'])
      expect((await readIncidents(section))[0]).to.include(`But pricing failed again at ${next}: Prices (ended)`)
  })

  it('list no pause of the outage before or after', async () => {
    const { clock, recordOutage, recover } = outages
    for (const outage of [createOutage(hang), pausing, createOutage(hang)]) {
      await recordOutage(outage)
      await recover(outage)
      clock.ms += 15_000
    }
    const [before, paused, after] = await readIncidents('price')
    expect(paused).to.include('paused after 5 × connection refused')
    for (const page of [before, after]) {
      expect(page).to.include(NOT_PAUSED)
      expect(page).to.not.include('connection refused')
    }
  })

  it('give the same advice if the cause does not go away by itself', async () => {
    await outages.recordOutage(createOutage(login))
    await recoverPrices(outages, createOutage(login))
    for (const section of ['price', 'pricing'])
      expect((await readIncidents(section))[0]).to.include(
        'his cause (login refused) does not go away by itself: ask whoever runs pricing of Acme Parts what they changed, and whether it is enough. If the key or the password has changed',
      )
  })
})
