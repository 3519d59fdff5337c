import { expect } from 'chai'
import { type AnySkuSystems, startAnySkuSystems } from './any-sku-systems.ts'
import { type ProgramUnderTest, startProgram } from './program-under-test.ts'

const CACHE_BYTES = 2 * 1_048_576

describe('a sweep over many SKUs', () => {
  let backOffice: AnySkuSystems
  let program: ProgramUnderTest

  before(async () => {
    backOffice = await startAnySkuSystems()
    // The clock stands still: otherwise a slow sweep would evict entries for their age.
    const now = () => Date.parse('2026-03-02T14:05:00Z')
    const merchants = ['acme', 'zenith']
    program = await startProgram({ addresses: backOffice.addresses, merchants, cacheBytes: CACHE_BYTES, now })
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await backOffice[Symbol.asyncDispose]()
  })

  async function gauge(name: string): Promise<number> {
    const text = await (await fetch(program.forecourt.metricsAddress!)).text()
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)![1])
  }

  it('fills the caches to their limits, and keeps the entries of another merchant', async () => {
    const [sweeper, other] = [
      await program.createKey('acme', 'publishable', 'live'),
      await program.createKey('zenith', 'publishable', 'live'),
    ]
    await Promise.all(Array.from({ length: 20 }, (_, at) => program.request(`/v1/products/Z-${at}`, other)))
    let bytesBefore = 0
    for (let batch = 0; batch < 18; batch++) {
      if (batch === 15) bytesBefore = program.forecourt.upstreams.bytes
      const skus = Array.from({ length: 200 }, (_, at) => `cold-${batch}-${at}`)
      expect((await program.request('/v1/availability/batch', sweeper, { body: { skus } })).status).to.equal(200)
      expect(program.forecourt.upstreams.bytes).to.be.at.most(CACHE_BYTES * 0.2)
    }
    const grown = program.forecourt.upstreams.bytes - bytesBefore
    expect(bytesBefore).to.be.above(CACHE_BYTES * 0.1)
    expect(Math.abs(grown), 'the cache is full').to.be.below(CACHE_BYTES * 0.01)
    for (let round = 0; round < 24; round++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => program.request(`/v1/products/page-${round}-${at}`, sweeper)),
      )
    }
    expect(await gauge('forecourt_response_cache_bytes')).to.be.within(CACHE_BYTES * 0.17, CACHE_BYTES * 0.2)
    expect(await gauge('forecourt_section_cache_bytes')).to.be.within(CACHE_BYTES * 0.17, CACHE_BYTES * 0.2)
    const before = backOffice.systems.inventory.requests.length
    for (let at = 0; at < 20; at++) expect((await program.request(`/v1/products/Z-${at}`, other)).status).to.equal(200)
    expect(backOffice.systems.inventory.requests.length, 'all entries are still cached').to.equal(before)
  }).timeout(300_000)
})
