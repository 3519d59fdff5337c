import { expect } from 'chai'
import { hang, untilTrue } from '../support/scripted-upstream.ts'
import { type AnySkuSystems, startAnySkuSystems } from './any-sku-systems.ts'
import { type ApiResponse, type ProgramUnderTest, startProgram } from './program-under-test.ts'

/** Of the guard of pricing. A request itself has so long that nobody but the guard lets it go before the test is over. */
const TIMEOUT_MS = 1_500
const DEADLINE_MS = 600_000
/** More than a guard has places and a line for. */
const MANY = 100
/** Asked at once while the circuit is open. */
const FEW = 10
const ROUNDS = 10

const waitOf = (entry: { retry_after_ms?: number }) => entry.retry_after_ms ?? 0

describe('with pricing hung, and many who ask at once', () => {
  let generic: AnySkuSystems
  let world: ProgramUnderTest
  let key: string
  let visitors: Record<string, string>[]
  let sku = 0

  before(async () => {
    generic = await startAnySkuSystems()
    const limits = { pricing: { timeoutMs: TIMEOUT_MS } }
    const of = { addresses: generic.addresses, merchants: ['acme'], deadlineMs: DEADLINE_MS, limits }
    world = await startProgram(of)
    key = await world.key('acme', 'secret', 'live')
    const customers = Array.from({ length: MANY }, (_, at) => world.shopper('acme', 'live', `C-${at}`))
    visitors = (await Promise.all(customers)).map((token) => ({ 'x-storefront-shopper-token': token }))
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await generic[Symbol.asyncDispose]()
  })

  /** So many customers at once, each for a product that nobody asked for before: one call to pricing for each. */
  const visits = (count: number): Promise<ApiResponse[]> =>
    Promise.all(visitors.slice(0, count).map((headers) => world.ask(`/v1/products/S-${sku++}`, key, { headers })))

  const state = () =>
    world.forecourt.upstreams.states().find(({ system, mode }) => system === 'pricing' && mode === 'live')!.state
  const codesOf = (replies: ApiResponse[]) => {
    const codes: Record<string, number> = {}
    for (const { status, headers, body } of replies) {
      expect(status).to.equal(200)
      expect(body.availability).to.deep.equal({ band: 'IN_STOCK', eta: null })
      const code = body.errors.map((entry: { field: string; code: string }) => `${entry.field} ${entry.code}`).join()
      codes[code] = (codes[code] ?? 0) + 1
      if (code === '') expect([body.price.amount, headers.get('forecourt-complete')]).to.deep.equal(['10.00', 'true'])
      else expect([body.price, headers.get('forecourt-complete')], code).to.deep.equal([null, 'false'])
    }
    return codes
  }
  /** A busy machine may be too slow for a price now and then. */
  const allHaveThePrice = () => untilTrue(async () => codesOf(await visits(FEW))[''] === FEW)

  it('answers every question without the price, few of them late, and uses it again when it is back', async () => {
    await allHaveThePrice()

    generic.systems.pricing.script = hang
    let rounds = 0
    const hung: ApiResponse[] = []
    while (state() === 'closed') {
      expect(++rounds, 'it opens when the first of them have waited in vain').to.be.below(4)
      hung.push(...(await visits(MANY)))
    }
    const {
      'price downstream_timeout': late = 0,
      'price overloaded': shed = 0,
      'price circuit_open': refused = 0,
      ...others
    } = codesOf(hung)
    expect(others).to.deep.equal({})
    expect(late).to.be.within(10, (MANY / 2) * rounds)
    expect(late + shed + refused).to.equal(hung.length)

    const firstRefused = sku
    const refusals: ApiResponse[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await visits(FEW)
      const { 'price downstream_timeout': late = 0, ...open } = codesOf(replies)
      expect(late, 'nobody waits but the one with a probe').to.be.at.most(1)
      expect(open).to.deep.equal({ 'price circuit_open': FEW - late })
      refusals.push(...replies)
    }
    await untilTrue(() => generic.systems.pricing.waiting === 0)
    // By its product: a busy machine may read a question of before only now, when who asked it has long left.
    const { seen } = generic.systems.pricing
    const probes = seen
      .flatMap(({ body }) => (JSON.parse(body) as { skus: string[] }).skus)
      .filter((sku) => Number(sku.slice('S-'.length)) >= firstRefused)
    expect(probes.length, 'it is tried now and then').to.be.at.most(ROUNDS)
    const waits = refusals.flatMap(({ body }) => body.errors.map(waitOf))
    expect(Math.max(...waits), 'it is tried again within five seconds').to.be.within(1, 5_000)

    generic.mend('pricing')
    const sent = seen.length
    await untilTrue(async () => {
      await visits(1)
      return state() === 'closed'
    })
    expect(seen.length - sent, 'it is used again').to.be.above(1)
    await allHaveThePrice()
  }).timeout(300_000)
})
