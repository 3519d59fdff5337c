import { expect } from 'chai'
import { callTrace, okSection } from '../../diagnostics/diagnostics-setup.ts'
import { expectAll } from './expect-on-page.ts'
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

  it('show the whole outage on each page: one end, and each response counted once', async () => {
    const at = outages.clock.ms
    await outages.recordOutage(createOutage(hang))
    const goodAt = outages.clock.ms + 10_000
    await recoverPrices(outages, createOutage(hang))
    const whole = [
      `The whole outage of pricing Began ${toClock(at)} Last degraded response ${toClock(at + 2_000)} Responded again ${toClock(goodAt)}`,
      `Sections Prices: next good response at ${toClock(goodAt)}; Cart totals: not confirmed, because nobody has requested it since`,
    ]
    for (const section of ['price', 'pricing'])
      expectAll((await readIncidents(section))[0]!, [
        ...whole,
        'Degraded responses 3 degraded responses, each counted once What was asked 2 product pages; 1 cart total, refused with an error Shoppers at least 1',
      ])
    await outages.db.deleteFrom('request_records').execute()
    for (const section of ['price', 'pricing'])
      expectAll((await readIncidents(section))[0]!, [
        ...whole,
        'Degraded responses 2 to 3 degraded responses: a response that lacked several sections may count more than once What was asked 2 product pages; 1 cart total Shoppers at least 1',
      ])
  })

  it('say when the system responded, and when a request showed that the section works', async () => {
    const { clock, diagnostics, record, recordOutage } = outages
    await recordOutage(pausing)
    clock.ms += 10_000
    const resumedAt = clock.ms
    diagnostics.recordCircuitTransition({ merchant: 'acme', mode: 'live' }, 'pricing', 'closed')
    clock.ms += 20_000
    const goodAt = clock.ms
    await record([
      { route: 'getProduct', sections: [okSection('price')], calls: [callTrace({ operation: 'prices' })], ms: 12 },
    ])
    clock.ms += 10_000
    await diagnostics.flush()
    expect((await readIncidents('price'))[0]).to.include(
      `Nothing is urgent: pricing responded again at ${toClock(resumedAt)}, and this part has worked since ${toClock(goodAt)} at the latest.`,
    )
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
      expect((await readIncidents(section))[0]).to.include(
        `But pricing failed again at ${next} (no response in 700 ms): Prices (ended)`,
      )
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
      expect(page).to.not.include('× connection refused')
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
