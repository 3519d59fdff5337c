import { expect } from 'chai'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import { createRequestScope } from '../../src/upstream/request/request-scope.ts'
import { type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { type SeededSystems, startSeededSystems } from './seeded-systems.ts'

describe('concurrent requests', function () {
  this.timeout(300_000)
  let sandbox: SeededSystems
  let program: ProgramUnderTest
  let key: string
  let skus: string[]
  let now = Date.parse('2026-03-02T20:00:00Z')

  before(async () => {
    sandbox = await startSeededSystems(['acme-live'])
    program = await startProgram({ addresses: sandbox.addresses, merchants: ['acme'], now: () => now })
    key = await program.createKey('acme', 'publishable', 'live')
    skus = []
    for (let offset = 0; offset < 1_000; offset += 200) {
      const { body } = await program.request(`/v1/products?limit=200&offset=${offset}`, key)
      skus.push(...body.data.map(({ sku }: { sku: string }) => sku))
    }
  })
  beforeEach(() => {
    // All cached values expire.
    now += 2 * 86_400_000
    for (const { calls } of Object.values(sandbox.systems))
      for (const operation of Object.keys(calls)) delete (calls as Record<string, number>)[operation]
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await sandbox?.[Symbol.asyncDispose]()
  })

  const calls = () => Object.values(sandbox.systems).map((system) => ({ ...system.calls }))
  const createScope = () => createRequestScope({ requestId: 'r' }, { totalMs: 60_000, reserveMs: 50 }, () => now)

  it('for one product make one call per system', async () => {
    const replies = await Promise.all(
      Array.from({ length: 500 }, () => program.request(`/v1/products/${skus[0]}`, key)),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1)
    expect(calls()).to.deep.equal([{ lookupProducts: 1 }, { quotePrices: 1 }, { quoteTaxes: 1 }])
  })

  it('for a page of fifty make one call per system; the search includes products and stock', async () => {
    const { body } = await program.request('/v1/products?limit=50', key)
    expect([body.data.length, body.errors]).to.deep.equal([50, []])
    expect(calls()).to.deep.equal([{ searchProducts: 1 }, { quotePrices: 1 }, { quoteTaxes: 1 }])
  })

  it('for fifty pages are batched up to the maximum of a system', async () => {
    const { backOffice } = program.forecourt.upstreams.forTenant({ merchant: 'acme', mode: 'live' })!
    const pages = Array.from({ length: 50 }, (_, at) => skus.slice(at * 20, at * 20 + 20))
    const results = await Promise.all(
      pages.map((page) =>
        Promise.all([
          backOffice.products(page, createScope()),
          backOffice.availability(page, createScope()),
          backOffice.prices(page, null, createScope()),
        ]),
      ),
    )
    expect(results.flat(2).filter(({ error }) => error !== null)).to.deep.equal([])
    expect(calls()).to.deep.equal([{ lookupProducts: 5 }, { quotePrices: 5 }, {}])
  })

  it('make one call per customer', async () => {
    const { backOffice } = program.forecourt.upstreams.forTenant({ merchant: 'acme', mode: 'live' })!
    const customers = [null, 'C-1001', 'C-1003', null, 'C-1001']
    await Promise.all(customers.map((customer) => backOffice.prices([skus[0]!], customer, createScope())))
    expect(calls()[1]).to.deep.equal({ quotePrices: 3 })
  })

  it('never return an ETA in the past', async () => {
    const sku = skus[1]!
    const evening = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T23:30:00-05:00`)
    const today = new Date(evening - 5 * 3_600_000).toISOString().slice(0, 10)
    now = evening
    await setStock(sandbox.systems.inventory.controlAddress, 'acme-live', sku, {
      available: 0,
      expected: [{ date: today, quantity: 5 }],
    })
    const bandOf = async () => (await program.request(`/v1/products/${sku}`, key)).body.availability
    expect(await bandOf()).to.deep.equal({ band: 'LEAD_TIME', eta: today, orderable: true })
    await sandbox.systems.inventory.setFault({ status: 500 })
    now += 55 * 60_000
    expect(await bandOf()).to.deep.equal({ band: 'OUT', eta: null, orderable: false })
    await sandbox.systems.inventory.setFault({})
  })
})
