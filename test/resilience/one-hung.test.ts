import { expect } from 'chai'
import { hang, until } from '../support/upstream.ts'
import { type Generic, startGeneric } from './generic.ts'
import { type Reply, startWorld, type World } from './running.ts'

/** What ONE HUNG of the issue allows: the guard's 700 ms, and generous room for a busy machine. */
const LONGEST_WAIT_MS = 1_500

interface Visit {
  reply: Reply
  ms: number
}

describe('with pricing hung, at 100 questions a second', () => {
  let generic: Generic
  let world: World
  let key: string
  let sku = 0

  before(async () => {
    generic = await startGeneric()
    world = await startWorld({ addresses: generic.addresses, merchants: ['acme'] })
    key = await world.key('acme', 'publishable', 'live')
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await generic[Symbol.asyncDispose]()
  })

  async function visit(): Promise<Visit> {
    const startedAt = performance.now()
    const reply = await world.ask(`/v1/products/S-${sku++}`, key)
    return { reply, ms: performance.now() - startedAt }
  }

  /** A hundred a second, each for a product that nobody asked for before. */
  async function visitors(goOn: (sent: number) => boolean): Promise<Visit[]> {
    const visits: Promise<Visit>[] = []
    const startedAt = performance.now()
    while (goOn(visits.length)) {
      while (visits.length < (performance.now() - startedAt) / 10) visits.push(visit())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return Promise.all(visits)
  }

  const state = () =>
    world.forecourt.offices.states().find(({ system, mode }) => system === 'pricing' && mode === 'live')!.state
  const codesOf = (visits: Visit[]) => {
    const codes: Record<string, number> = {}
    for (const { reply } of visits) {
      expect(reply.status).to.equal(200)
      expect(reply.body.availability).to.deep.equal({ band: 'IN_STOCK', eta: null })
      const code = reply.body.errors
        .map((entry: { field: string; code: string }) => `${entry.field} ${entry.code}`)
        .join()
      codes[code] = (codes[code] ?? 0) + 1
      if (code === '')
        expect([reply.body.price.amount, reply.headers.get('forecourt-complete')]).to.deep.equal(['10.00', 'true'])
      else expect([reply.body.price, reply.headers.get('forecourt-complete')], code).to.deep.equal([null, 'false'])
    }
    return codes
  }

  it('answers every question without the price, few of them late, and uses it again when it is back', async () => {
    const healthy = await visitors((sent) => sent < 200)
    expect(codesOf(healthy), 'in health').to.deep.equal({ '': healthy.length })

    generic.systems.pricing.script = hang
    const hung = await visitors((sent) => sent < 1_000 && state() !== 'open')
    const waited = codesOf(hung)
    expect(state()).to.equal('open')
    expect(hung.length, 'it opens within two seconds, by the count of questions').to.be.below(220)
    const {
      'price downstream_timeout': late = 0,
      'price overloaded': shed = 0,
      'price circuit_open': refused = 0,
      ...others
    } = waited
    expect(others).to.deep.equal({})
    expect(late).to.be.within(10, 149)
    expect(late + shed + refused).to.equal(hung.length)
    expect(Math.max(...hung.map(({ ms }) => ms))).to.be.below(LONGEST_WAIT_MS)

    const open = codesOf(await visitors((sent) => sent < 100))
    expect(open['price circuit_open'], 'and then nobody waits but those with a probe').to.be.above(90)
    expect(Object.keys(open).filter((code) => !/^price (circuit_open|downstream_timeout)$/.test(code))).to.deep.equal(
      [],
    )
    await until(() => generic.systems.pricing.waiting === 0)

    generic.mend('pricing')
    const mendedAt = performance.now()
    await visitors(() => state() !== 'closed')
    expect(performance.now() - mendedAt, 'used again within five seconds').to.be.below(5_000)
    const mended = await visitors((sent) => sent < 50)
    expect(codesOf(mended)).to.deep.equal({ '': mended.length })
  }).timeout(30_000)
})
