import { expect } from 'chai'
import { hang } from '../support/scripted-upstream.ts'
import { untilTrue } from '../support/until.ts'
import { type AnySkuSystems, startAnySkuSystems } from './any-sku-systems.ts'
import { type ApiResponse, type ProgramUnderTest, startProgram } from './program-under-test.ts'

/** The timeout of the pricing guard. The deadline of a request is far longer: only the guard ends a call. */
const TIMEOUT_MS = 1_500
const DEADLINE_MS = 600_000
/** More than the bulkhead and its queue hold. */
const MANY = 100
/** Concurrent requests while the circuit is open. */
const FEW = 10
const ROUNDS = 10

const retryAfterOf = (entry: { retry_after_ms?: number }) => entry.retry_after_ms ?? 0

describe('with hung pricing and many concurrent requests', () => {
  let backOffice: AnySkuSystems
  let program: ProgramUnderTest
  let key: string
  let visitors: Record<string, string>[]
  let sku = 0

  before(async () => {
    backOffice = await startAnySkuSystems()
    const limits = { pricing: { timeoutMs: TIMEOUT_MS } }
    const of = { addresses: backOffice.addresses, merchants: ['acme'], deadlineMs: DEADLINE_MS, limits }
    program = await startProgram(of)
    key = await program.createKey('acme', 'secret', 'live')
    const customers = Array.from({ length: MANY }, (_, at) => program.createShopperToken('acme', 'live', `C-${at}`))
    visitors = (await Promise.all(customers)).map((token) => ({ 'x-storefront-shopper-token': token }))
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await backOffice[Symbol.asyncDispose]()
  })

  /** Requests of this many customers at once, each for a new product: one call to pricing for each. */
  const visits = (count: number): Promise<ApiResponse[]> =>
    Promise.all(visitors.slice(0, count).map((headers) => program.request(`/v1/products/S-${sku++}`, key, { headers })))

  const state = () =>
    program.forecourt.upstreams.states().find(({ system, mode }) => system === 'pricing' && mode === 'live')!.state
  const codesOf = (replies: ApiResponse[]) => {
    const codes: Record<string, number> = {}
    for (const { status, headers, body } of replies) {
      expect(status).to.equal(200)
      expect(body.availability).to.deep.equal({ band: 'IN_STOCK', eta: null, orderable: true })
      const code = body.errors.map((entry: { field: string; code: string }) => `${entry.field} ${entry.code}`).join()
      codes[code] = (codes[code] ?? 0) + 1
      if (code === '') expect([body.price.amount, headers.get('forecourt-complete')]).to.deep.equal(['10.00', 'true'])
      else expect([body.price, headers.get('forecourt-complete')], code).to.deep.equal([null, 'false'])
    }
    return codes
  }
  /** Repeated: a busy machine may be too slow for a price. */
  const waitForPrices = () => untilTrue(async () => codesOf(await visits(FEW))[''] === FEW)

  it('responds to every request without the price, few of them late, and recovers', async () => {
    await waitForPrices()

    backOffice.systems.pricing.script = hang
    let rounds = 0
    const hung: ApiResponse[] = []
    while (state() === 'closed') {
      expect(++rounds, 'the circuit opens after the first timeouts').to.be.below(4)
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
      expect(late, 'only the probe waits').to.be.at.most(1)
      expect(open).to.deep.equal({ 'price circuit_open': FEW - late })
      refusals.push(...replies)
    }
    await untilTrue(() => backOffice.systems.pricing.pending === 0)
    // By product: a busy machine may read an earlier request only now.
    const { requests } = backOffice.systems.pricing
    const probes = requests
      .flatMap(({ body }) => (JSON.parse(body) as { skus: string[] }).skus)
      .filter((sku) => Number(sku.slice('S-'.length)) >= firstRefused)
    expect(probes.length, 'the circuit sends few probes').to.be.at.most(ROUNDS)
    const waits = refusals.flatMap(({ body }) => body.errors.map(retryAfterOf))
    expect(Math.max(...waits), 'the next probe is within five seconds').to.be.within(1, 5_000)

    backOffice.restore('pricing')
    const sent = requests.length
    await untilTrue(async () => {
      await visits(1)
      return state() === 'closed'
    })
    expect(requests.length - sent, 'pricing is called again').to.be.above(1)
    await waitForPrices()
  }).timeout(300_000)
})
