import { expect } from 'chai'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import type { System } from '../../src/ports/system.ts'
import type { Fault } from '../../src/sandbox/control/fault-injection.ts'
import { type Api, type SystemsOf, startApi } from '../support/api.ts'

interface Failure {
  how: string
  fault: Fault
  /** The code in `errors[]`. */
  code: string
  /** The problem code of a required section. */
  problem: [status: number, code: string]
}

const failures: Failure[] = [
  { how: 'hangs', fault: { hang: true }, code: 'downstream_timeout', problem: [504, 'downstream_timeout'] },
  { how: 'refuses', fault: { refuse: true }, code: 'downstream_unavailable', problem: [503, 'downstream_unavailable'] },
  { how: 'errs', fault: { status: 500 }, code: 'downstream_error', problem: [502, 'downstream_error'] },
  { how: 'is-down', fault: { status: 503 }, code: 'downstream_error', problem: [502, 'downstream_error'] },
  { how: 'babbles', fault: { garbage: true }, code: 'invalid_downstream_response', problem: [502, 'downstream_error'] },
]
/** Only a system that hangs gets a short deadline: a busy machine may be slow to refuse a connection. */
const limitsFor = ({ hang }: Fault) => (hang ? { timeoutMs: 150 } : undefined)

/** One merchant for each failure, because each has its own circuit breakers. */
function merchants(of: SystemsOf): Partial<MerchantConfig>[] {
  return (['inventory', 'pricing', 'accounting'] as const).flatMap((system) =>
    failures.map(({ how, fault }) => {
      const failing = { [system]: of('acme-live', limitsFor(fault))[system] }
      return { merchant: `${system}-${how}`, live: { ...of('acme-live'), ...failing } }
    }),
  )
}

describe('an upstream system that fails behind a mirror', () => {
  const paths = ['/v1/products/BP-1001', '/v1/products?q=brake&limit=5', '/v1/categories', '/v1/tags']
  const bound = { maxAgeMs: 3_600_000 }
  const start = Date.now()
  let api: Api
  let key: string
  let aheadMs = 0
  let nonce = 0
  /** The bodies while all systems worked. */
  let whole: Record<string, unknown>[]

  before(async () => {
    api = await startApi({ mirror: bound, now: () => start + aheadMs })
    key = await api.key({ mode: 'live' })
    await api.fillMirror({ tenant: { merchant: 'acme', mode: 'live' }, vehicles: true })
    whole = (await readAll()).map(({ body }) => body)
  })
  afterEach(() => api.clearFaults())
  after(() => api[Symbol.asyncDispose]())

  /** Reads all pages, past the cache of responses. */
  function readAll() {
    nonce += 1
    return Promise.all(paths.map((path) => api.request(`${path}${path.includes('?') ? '&' : '?'}n=${nonce}`, { key })))
  }

  for (const system of ['inventory', 'pricing', 'accounting'] as const)
    for (const { how, fault } of failures)
      it(`changes nothing in the catalog: ${system} ${how}`, async () => {
        await api.fault(system, fault)
        for (const [at, { status, body, headers }] of (await readAll()).entries()) {
          expect([status, headers['forecourt-complete']], paths[at]).to.deep.equal([200, 'true'])
          expect(body, paths[at]).to.deep.equal(whole[at])
        }
      })

  // Values that the systems gave without a mirror expire: see last-good-values.test.ts.
  it('leaves all sections filled for days, marked with their age', async () => {
    await api.fault('inventory', { refuse: true })
    await api.fault('pricing', { refuse: true })
    await api.fault('accounting', { refuse: true })
    aheadMs = 3 * 86_400_000
    for (const [at, { status, body }] of (await readAll()).entries()) {
      const { errors, ...rest } = body
      expect([status, { ...rest, errors: [] }], paths[at]).to.deep.equal([200, whole[at]])
      expect(errors, paths[at]).to.not.deep.equal([])
      for (const entry of errors) expect(entry, paths[at]).to.include({ stale: true })
    }
  })
})

describe('an upstream system that fails', () => {
  let api: Api
  let whole: Record<string, unknown>

  before(async () => {
    api = await startApi({ merchants })
    const { status, body } = await api.request('/v1/products/BP-1001', { key: await api.key({ mode: 'live' }) })
    expect([status, body.errors]).to.deep.equal([200, []])
    whole = body
  })
  afterEach(() => api.clearFaults())
  after(() => api[Symbol.asyncDispose]())

  async function reader(system: System, { how, fault }: Failure) {
    const key = await api.key({ merchant: `${system}-${how}`, mode: 'live' })
    await api.fault(system, fault)
    return (path: string) => api.request(path, { key })
  }

  for (const [system, section] of [
    ['pricing', 'price'],
    ['accounting', 'tax'],
  ] as const) {
    for (const failure of failures) {
      it(`sets ${section} to null with the reason, and returns the rest: ${system} ${failure.how}`, async () => {
        const read = await reader(system, failure)
        const { status, body, headers } = await read('/v1/products/BP-1001')
        expect(status).to.equal(200)
        const { errors, price, tax, ...rest } = body
        expect({ price, tax }[section]).to.equal(null)
        expect(errors).to.have.length(1)
        expect(errors[0]).to.include({ field: section, code: failure.code })
        expect(errors[0]).to.not.have.any.keys('stale', 'as_of')
        const { errors: _, price: __, tax: ___, ...same } = whole
        expect(rest).to.deep.equal(same)
        expect(headers).to.include({ 'cache-control': 'private, no-store', 'forecourt-complete': 'false' })

        const { body: list } = await read('/v1/products?q=brake&limit=5')
        expect(list.data.map((row: Record<string, unknown>) => row[section])).to.deep.equal(Array(5).fill(null))
        expect(list.errors.map(({ field }: { field: string }) => field)).to.deep.equal([section])
        const { body: fitting } = await read('/v1/vehicles/1139/products?limit=2')
        expect(fitting.errors.map(({ field }: { field: string }) => field)).to.deep.equal([section])
      })
    }
  }

  for (const failure of failures) {
    it(`fails the request with Retry-After without a required section: inventory ${failure.how}`, async () => {
      const read = await reader('inventory', failure)
      for (const path of ['/v1/products/BP-1001', '/v1/products', '/v1/categories', '/v1/tags']) {
        const { status, body, headers } = await read(path)
        expect([status, body.code], path).to.deep.equal(failure.problem)
        expect(Number(headers['retry-after']), path).to.be.at.least(1)
        expect(headers['cache-control'], path).to.equal('no-store')
      }
    })
  }

  it('is reported once for a page, and all failures are reported in declared order', async () => {
    await api.fault('pricing', { status: 500 })
    await api.fault('accounting', { status: 500 })
    const key = await api.key({ merchant: 'zenith', mode: 'live' })
    const { body } = await api.request('/v1/products?limit=30', { key })
    expect(body.data).to.have.length(30)
    expect(body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['price', 'tax'])
  })

  it('is used again as soon as it recovers', async () => {
    const key = await api.key({ merchant: 'zenith', mode: 'live' })
    await api.fault('pricing', { status: 500 })
    expect((await api.request('/v1/products/OF-1001', { key })).body.price).to.equal(null)
    await api.clearFaults()
    const { body, headers } = await api.request('/v1/products/OF-1001', { key })
    expect(body.price.amount).to.be.a('string')
    expect(headers['forecourt-complete']).to.equal('true')
  })

  it('never has its degraded response confirmed by a 304', async () => {
    const key = await api.key({ merchant: 'zenith', mode: 'live' })
    await api.fault('pricing', { status: 500 })
    const first = await api.request('/v1/products/OF-1002', { key })
    const headers = { 'if-none-match': `${first.headers.etag}, *` }
    const second = await api.request('/v1/products/OF-1002', { key, headers })
    expect([second.status, second.headers.etag]).to.deep.equal([200, first.headers.etag])
  })

  it('is shown in the health of this process when its circuit is open', async () => {
    const key = await api.key({ merchant: 'zenith', mode: 'sandbox' })
    await api.fault('pricing', { status: 500 })
    const codes = new Set<string>()
    for (let i = 0; i < 40 && !codes.has('circuit_open'); i++) {
      const { body } = await api.request(`/v1/products/OF-${1010 + i}`, { key })
      for (const { code, retry_after_ms } of body.errors ?? []) {
        codes.add(code)
        if (code === 'circuit_open') expect(retry_after_ms).to.be.greaterThan(0)
      }
    }
    expect([...codes]).to.include('circuit_open')
    const { status, body } = await api.request('/health')
    expect([status, body.status, body.checks.upstreams.status]).to.deep.equal([200, 'degraded', 'degraded'])
  })
})
