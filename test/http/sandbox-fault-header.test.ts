import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'

const kinds = {
  timeout: ['downstream_timeout', 504, 'downstream_timeout'],
  error: ['downstream_error', 502, 'downstream_error'],
  unavailable: ['downstream_unavailable', 503, 'downstream_unavailable'],
  invalid: ['invalid_downstream_response', 502, 'downstream_error'],
} as const
const PATH = '/v1/products/BP-1001'

describe('X-Sandbox-Fault', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const read = (path: string, fault?: string, more: Record<string, string> = {}, as = key) =>
    api.request(path, { key: as, headers: { ...(fault !== undefined && { 'x-sandbox-fault': fault }), ...more } })
  const fields = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field)

  for (const [kind, [code, status, problem]] of Object.entries(kinds)) {
    it(`${kind}: fails one section for one request, bypassing every cache`, async () => {
      await read(PATH)
      const { body, headers } = await read(PATH, `pricing=${kind}`)
      expect(body.price).to.equal(null)
      expect(body.errors).to.have.length(1)
      expect(body.errors[0]).to.include({ field: 'price', code })
      expect(headers).to.include({
        'cache-control': 'private, no-store',
        'forecourt-complete': 'false',
        'cache-status': 'forecourt; fwd=bypass',
      })
    })

    it(`${kind}: fails the request when the section is required`, async () => {
      for (const path of [
        PATH,
        '/v1/products',
        '/v1/categories',
        '/v1/vehicles/1139/products',
        `${PATH}/availability`,
      ]) {
        const { status: got, body, headers } = await read(path, `inventory=${kind}`)
        expect([got, body.code], path).to.deep.equal([status, problem])
        expect(Number(headers['retry-after'])).to.be.at.least(1)
      }
    })
  }

  it('may name a system more than once: its last failure counts', async () => {
    const { body } = await read(PATH, 'pricing=timeout, inventory=error, pricing=invalid')
    expect(body.code).to.equal('downstream_error')
    const page = await read(PATH, 'pricing=timeout, pricing=invalid')
    expect(page.body.errors[0]).to.include({ field: 'price', code: 'invalid_downstream_response' })
  })

  it('changes nothing: the next response is the cached one, byte for byte', async () => {
    const before = await read(PATH)
    await read(PATH, 'pricing=timeout, accounting=error, inventory=invalid')
    const after = await read(PATH)
    expect([after.text, after.headers.etag]).to.deep.equal([before.text, before.headers.etag])
    expect(after.headers['cache-status']).to.match(/hit/)
  })

  it('changes nothing in data that was not cached before, and opens no circuit', async () => {
    for (let i = 0; i < 30; i++) await read(`/v1/products/OF-${1001 + i}`, 'pricing=error')
    const { body } = await read('/v1/products/OF-1001')
    expect(body.errors).to.deep.equal([])
    expect((await api.request('/health')).body.status).to.equal('ok')
  })

  it('accepts several systems, in any case and spacing', async () => {
    expect(fields((await read(PATH, 'Pricing = TIMEOUT ,accounting=error')).body)).to.deep.equal(['price', 'tax'])
  })

  it('fails a section of a batch, and keeps the order of its rows', async () => {
    const options = { key, headers: { 'x-sandbox-fault': 'inventory=timeout' }, body: { skus: ['BP-1001'] } }
    expect((await api.request('/v1/availability/batch', options)).status).to.equal(504)
  })

  for (const fault of ['', ',,,']) {
    it(`ignores "${fault}", which names nothing`, async () => {
      expect((await read(PATH, fault)).body.errors).to.deep.equal([])
    })
  }

  for (const fault of [
    'pricing',
    'pricing=slow',
    'warehouse=error',
    '=',
    'pricing=__proto__',
    'pricing=error=1',
    'a'.repeat(2_000),
  ]) {
    it(`refuses "${fault.slice(0, 20)}" with 422, also for a cached product`, async () => {
      await read(PATH)
      const { status, body } = await read(PATH, `inventory=error, ${fault}`)
      expect([status, body]).to.deep.equal([
        422,
        {
          detail: [
            {
              type: 'sandbox_fault_invalid',
              loc: ['header', 'X-Sandbox-Fault'],
              msg: `X-Sandbox-Fault should list faults as <system>=<failure>, such as pricing=timeout. Systems: inventory, pricing, accounting, fitment, references. Failures: timeout, error, unavailable, invalid`,
              input: fault.slice(0, 256),
            },
          ],
        },
      ])
    })
  }

  it('names every unknown entry', async () => {
    const { body } = await read(PATH, 'pricing=timout, inventory=error, acounting=error')
    expect(body.detail[0].input).to.equal('pricing=timout, acounting=error')
  })

  it('never returns 304', async () => {
    const { headers } = await read(PATH, 'pricing=error')
    for (const tag of ['*', headers.etag!, (await read(PATH)).headers.etag!]) {
      expect((await read(PATH, 'pricing=error', { 'if-none-match': tag })).status).to.equal(200)
    }
  })

  it('of a live key is ignored', async () => {
    const live = await api.key({ mode: 'live' })
    for (const pass of ['miss', 'hit']) {
      const { body, headers } = await read(PATH, 'pricing=error, inventory=timout', {}, live)
      expect(body.errors).to.deep.equal([])
      expect(headers['cache-status']).to.include(pass)
    }
  })

  it('affects only reads of systems: a ping succeeds', async () => {
    expect((await read('/v1/ping', 'inventory=error')).status).to.equal(200)
    expect((await read('/v1/ping', 'inventory=eror')).status).to.equal(422)
  })
})
