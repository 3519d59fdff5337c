import { expect } from 'chai'
import { setStock } from '../../src/sandbox/control/control-client.ts'
import { createRequestScope } from '../../src/upstream/request-scope.ts'
import { type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { type SandboxSystems, startSandboxSystems } from './sandbox-systems.ts'

describe('many questions at once', function () {
  this.timeout(300_000)
  let embedded: SandboxSystems
  let world: ProgramUnderTest
  let key: string
  let skus: string[]
  let now = Date.parse('2026-03-02T20:00:00Z')

  before(async () => {
    embedded = await startSandboxSystems(['acme-live'])
    world = await startProgram({ addresses: embedded.addresses, merchants: ['acme'], now: () => now })
    key = await world.key('acme', 'publishable', 'live')
    skus = []
    for (let offset = 0; offset < 1_000; offset += 200) {
      const { body } = await world.ask(`/v1/products?limit=200&offset=${offset}`, key)
      skus.push(...body.data.map(({ sku }: { sku: string }) => sku))
    }
  })
  beforeEach(() => {
    // Nothing that is kept is of use any more.
    now += 2 * 86_400_000
    for (const { calls } of Object.values(embedded.systems))
      for (const operation of Object.keys(calls)) delete (calls as Record<string, number>)[operation]
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await embedded?.[Symbol.asyncDispose]()
  })

  const calls = () => Object.values(embedded.systems).map((system) => ({ ...system.calls }))
  const askingOf = () => createRequestScope({ requestId: 'r' }, { totalMs: 60_000, reserveMs: 50 }, () => now)

  it('about one product cost one call a system, however many ask', async () => {
    const replies = await Promise.all(Array.from({ length: 500 }, () => world.ask(`/v1/products/${skus[0]}`, key)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1)
    expect(calls()).to.deep.equal([{ lookupProducts: 1 }, { quotePrices: 1 }, { quoteTaxes: 1 }])
  })

  it('about a page of fifty cost one call a system, its products and stock coming with the search', async () => {
    const { body } = await world.ask('/v1/products?limit=50', key)
    expect([body.data.length, body.errors]).to.deep.equal([50, []])
    expect(calls()).to.deep.equal([{ searchProducts: 1 }, { quotePrices: 1 }, { quoteTaxes: 1 }])
  })

  it('about fifty pages leave together, in calls as large as a system takes', async () => {
    const { backOffice } = world.forecourt.upstreams.forTenant('acme', 'live')!
    const pages = Array.from({ length: 50 }, (_, at) => skus.slice(at * 20, at * 20 + 20))
    const filled = await Promise.all(
      pages.map((page) =>
        Promise.all([
          backOffice.products(page, askingOf()),
          backOffice.availability(page, askingOf()),
          backOffice.prices(page, null, askingOf()),
        ]),
      ),
    )
    expect(filled.flat(2).filter(({ error }) => error !== null)).to.deep.equal([])
    expect(calls()).to.deep.equal([{ lookupProducts: 5 }, { quotePrices: 5 }, {}])
  })

  it('keep customers apart, a call for each', async () => {
    const { backOffice } = world.forecourt.upstreams.forTenant('acme', 'live')!
    const customers = [null, 'C-1001', 'C-1003', null, 'C-1001']
    await Promise.all(customers.map((customer) => backOffice.prices([skus[0]!], customer, askingOf())))
    expect(calls()[1]).to.deep.equal({ quotePrices: 3 })
  })

  it('never promise a day that has passed since it was read', async () => {
    const sku = skus[1]!
    const evening = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T23:30:00-05:00`)
    const today = new Date(evening - 5 * 3_600_000).toISOString().slice(0, 10)
    now = evening
    await setStock(embedded.systems.inventory.controlAddress, 'acme-live', sku, {
      available: 0,
      expected: [{ date: today, quantity: 5 }],
    })
    const bandOf = async () => (await world.ask(`/v1/products/${sku}`, key)).body.availability
    expect(await bandOf()).to.deep.equal({ band: 'LEAD_TIME', eta: today })
    await embedded.systems.inventory.setFault({ status: 500 })
    now += 55 * 60_000
    expect(await bandOf()).to.deep.equal({ band: 'OUT', eta: null })
    await embedded.systems.inventory.setFault({})
  })
})
