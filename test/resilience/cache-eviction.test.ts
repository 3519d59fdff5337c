import { expect } from 'chai'
import { type AnySkuSystems, startAnySkuSystems } from './any-sku-systems.ts'
import { type ProgramUnderTest, startProgram } from './program-under-test.ts'

const CAP = 2 * 1_048_576

describe('a sweep of cold keys', () => {
  let generic: AnySkuSystems
  let world: ProgramUnderTest

  before(async () => {
    generic = await startAnySkuSystems()
    // No time passes: what is kept is let go of for its age alone otherwise, where a sweep takes long.
    const now = () => Date.parse('2026-03-02T14:05:00Z')
    const merchants = ['acme', 'zenith']
    world = await startProgram({ addresses: generic.addresses, merchants, cacheBytes: CAP, now })
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await generic[Symbol.asyncDispose]()
  })

  async function gauge(name: string): Promise<number> {
    const text = await (await fetch(world.forecourt.metricsAddress!)).text()
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)![1])
  }

  it('fills the caches up to their caps, and spares what another merchant has there', async () => {
    const [sweeper, other] = [
      await world.key('acme', 'publishable', 'live'),
      await world.key('zenith', 'publishable', 'live'),
    ]
    await Promise.all(Array.from({ length: 20 }, (_, at) => world.ask(`/v1/products/Z-${at}`, other)))
    let bytesBefore = 0
    for (let batch = 0; batch < 18; batch++) {
      if (batch === 15) bytesBefore = world.forecourt.upstreams.bytes
      const skus = Array.from({ length: 200 }, (_, at) => `cold-${batch}-${at}`)
      expect((await world.ask('/v1/availability/batch', sweeper, { body: { skus } })).status).to.equal(200)
      expect(world.forecourt.upstreams.bytes).to.be.at.most(CAP * 0.2)
    }
    const grown = world.forecourt.upstreams.bytes - bytesBefore
    expect(bytesBefore).to.be.above(CAP * 0.1)
    expect(Math.abs(grown), 'it is full').to.be.below(CAP * 0.01)
    for (let round = 0; round < 24; round++) {
      await Promise.all(Array.from({ length: 50 }, (_, at) => world.ask(`/v1/products/page-${round}-${at}`, sweeper)))
    }
    expect(await gauge('forecourt_response_cache_bytes')).to.be.within(CAP * 0.17, CAP * 0.2)
    expect(await gauge('forecourt_section_cache_bytes')).to.be.within(CAP * 0.17, CAP * 0.2)
    const before = generic.systems.inventory.seen.length
    for (let at = 0; at < 20; at++) expect((await world.ask(`/v1/products/Z-${at}`, other)).status).to.equal(200)
    expect(generic.systems.inventory.seen.length, 'all of it is still at hand').to.equal(before)
  }).timeout(300_000)
})
