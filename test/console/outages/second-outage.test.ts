import { expect } from 'chai'
import { callTrace, okSection } from '../../diagnostics/diagnostics-setup.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { MINUTE_MS, toClock } from './outage-times.ts'
import { type SystemOutage, toRequests } from './system-outage.ts'

const hang = { system: 'pricing', failure: 'timeout', summary: 'no response in 703 ms' } as const
const priceFails: SystemOutage['responses'][number] = { failed: [{ name: 'price', ...hang }] }
const checkoutFails: SystemOutage['responses'][number] = {
  ...{ route: 'checkout', method: 'POST', url: '/v1/checkout', status: 504, code: 'downstream_timeout' },
  failed: [{ name: 'checkout', ...hang }],
}

describe('two outages of a system without a checkout in between', () => {
  let outages: OutageConsole
  let firstAt: number
  let respondedAt: number
  let secondAt: number

  const fail = (...responses: SystemOutage['responses']) =>
    outages.record(toRequests({ name: 'pricing hangs', responses, list: [], page: [] }, outages.clock.ms))
  const work = () =>
    outages.record([{ sections: [okSection('price')], calls: [callTrace({ operation: 'prices' })], ms: 12 }])
  const listIncidents = (section: string) =>
    outages.db.selectFrom('incidents').selectAll().where('section', '=', section).orderBy('began_at').execute()

  beforeEach(async () => {
    outages = await openOutageConsole()
    const { clock, diagnostics } = outages
    firstAt = clock.ms
    await fail(priceFails, checkoutFails)
    clock.ms += 10_000
    respondedAt = clock.ms
    await work()
    clock.ms += 10_000
    await work()
    clock.ms += 2 * MINUTE_MS
    await diagnostics.flush()
    secondAt = clock.ms
  })
  afterEach(() => outages[Symbol.asyncDispose]())

  it('counts them as two, each with its own checkouts', async () => {
    await fail(checkoutFails, priceFails)
    const checkouts = await listIncidents('checkout')
    expect(checkouts.map(({ answers, ended_at }) => [answers, ended_at !== null])).to.deep.equal([
      [1, true],
      [1, false],
    ])
    const list = await outages.readText('/incidents')
    const outage = 'Outage of pricing Acme Parts, live: 2 sections'
    expect(list).to.include(`${outage} since ${toClock(secondAt)}`)
    expect(list).to.include(
      `${outage} from ${toClock(firstAt)} to the last degraded response at ${toClock(firstAt + 1_000)}`,
    )
    const page = await outages.readText(`/incidents/${checkouts[0]!.incident_id}`)
    expect(page).to.include(
      `Pricing responded again at ${toClock(respondedAt)} (other calls, also in the background). No checkout before the incident counted as ended, so that part was not confirmed.`,
    )
    expect(page).to.match(
      /This incident is over\. But pricing has failed again since .*: (Prices|Checkout) \(ongoing\)/,
    )
    expect(page).to.include('these shoppers can order again once the system works again.')
    expect(page).to.not.include('Tell whoever')
  })

  it('says of each part how many checkouts the outage refused', async () => {
    const [prices] = await listIncidents('price')
    const page = await outages.readText(`/incidents/${prices!.incident_id}`)
    expect(page).to.include(
      'Checkouts none of these responses was a refused checkout, but the same outage refused 1: see the other incidents of the outage above',
    )
  })

  it('counts them as two if nobody orders in the second one', async () => {
    await fail(priceFails)
    const list = await outages.readText('/incidents')
    expect(list).to.include(`Outage of pricing Acme Parts, live: 2 sections from ${toClock(firstAt)}`)
    expect(list).to.not.include('3 sections')
  })
})

it('counts checkouts that fail alone as one outage, whatever other calls succeed in between', async () => {
  await using outages = await openOutageConsole()
  const { clock, diagnostics, record, db } = outages
  const refused = () => record(toRequests({ name: '', responses: [checkoutFails], list: [], page: [] }, clock.ms))
  await refused()
  for (let round = 0; round < 3; round += 1) {
    clock.ms += 20_000
    diagnostics.recordCall({ merchant: 'acme', mode: 'live' }, callTrace({ operation: 'prices' }))
    clock.ms += 20_000
    await refused()
  }
  const incidents = await db.selectFrom('incidents').select('answers').execute()
  expect(incidents).to.deep.equal([{ answers: 4 }])
})
