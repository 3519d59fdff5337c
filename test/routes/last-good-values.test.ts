import { expect } from 'chai'
import { createLocalDay } from '../../src/calendar/local-day.ts'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import { type Api, startApi } from '../support/api.ts'
import { until } from '../support/until.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const START = Date.now()

describe('last-good values', () => {
  let api: Api
  let key: string
  let aheadMs = 0
  /** A fixed clock that tests move. */
  const now = () => START + aheadMs

  beforeEach(async () => {
    aheadMs = 0
    api = await startApi({ now })
    key = await api.key()
  })
  afterEach(() => api[Symbol.asyncDispose]())

  const read = (path = '/v1/products/BP-1001') => api.request(path, { key })

  it('fill a section whose system fails, marked as stale, until they expire', async () => {
    const fresh = (await read()).body
    aheadMs += 100 * SECOND
    await api.fault('pricing', { status: 500 })
    const { body, headers } = await read()
    expect(body.price).to.deep.equal(fresh.price)
    const { as_of, detail, ...entry } = body.errors[0]
    expect(entry).to.deep.equal({ field: 'price', code: 'downstream_error', stale: true })
    expect(Date.parse(as_of)).to.equal(START)
    expect(headers).to.include({ 'forecourt-complete': 'false', 'cache-control': 'private, no-store' })
    aheadMs += 2 * HOUR
    const later = (await read()).body
    expect([later.price, later.errors[0].stale]).to.deep.equal([null, undefined])
  })

  it('keep the whole page when inventory is down, then all but the stock, then nothing', async () => {
    const fresh = (await read()).body
    aheadMs += 400 * SECOND
    await api.fault('inventory', { status: 500 })
    const { status, body } = await read()
    expect(status).to.equal(200)
    expect([body.name, body.availability]).to.deep.equal([fresh.name, fresh.availability])
    const marks = body.errors.map(({ field, stale }: { field: string; stale: boolean }) => [field, stale])
    expect(marks).to.deep.equal([
      ['product', true],
      ['availability', true],
    ])
    aheadMs += 2 * HOUR
    expect((await read()).body.availability).to.equal(null)
    aheadMs += 24 * HOUR
    const expired = await read()
    expect([expired.status, expired.body.code]).to.deep.equal([502, 'downstream_error'])
  })

  it('keep lists, categories and facets too', async () => {
    const paths = [
      '/v1/products?limit=3',
      '/v1/categories',
      '/v1/tags',
      '/v1/vehicles/years',
      '/v1/products/BP-1001/fitments',
    ]
    for (const path of paths) await read(path)
    aheadMs += 400 * SECOND
    await api.fault('inventory', { refuse: true })
    for (const path of paths) {
      const { status, body } = await read(path)
      expect(status, path).to.equal(200)
      expect(body.data.length, path).to.be.greaterThan(0)
      const stale = body.errors.map((entry: { stale: boolean }) => entry.stale)
      expect([...new Set(stale)], path).to.deep.equal([true])
    }
  })

  it('are refreshed in the background once they are stale', async () => {
    const { price } = (await read()).body
    await setPrice(api.systems.pricing.controlAddress, 'acme', 'BP-1001', '4321.00')
    await until('the new price is served', async () => {
      aheadMs += 11 * SECOND
      const { status, body, headers } = await read()
      expect(status).to.equal(200)
      expect(headers['cache-status']).to.match(/^forecourt; hit/)
      expect([price.amount, '4321.00']).to.include(body.price.amount)
      const renewed = async () => /; ttl=\d/.test(String((await read()).headers['cache-status']))
      await until('the answer is made anew', renewed)
      return body.price.amount === '4321.00'
    })
  })

  it('survive a failed refresh, and are replaced by a successful one', async () => {
    const { body: fresh, headers: first } = await read()
    await api.fault('pricing', { garbage: true })
    aheadMs += 31 * SECOND
    for (let i = 0; i < 3; i++) {
      const { body, headers } = await read()
      expect(body).to.deep.equal(fresh)
      expect(headers.etag).to.equal(first.etag)
    }
    await api.clearFaults()
    aheadMs += 100 * SECOND
    expect((await read()).body.errors).to.deep.equal([])
  })

  it('contain no expected day in the past while stock cannot be read', async () => {
    const day = createLocalDay('America/Jamaica')
    const dayAt = (ms: number) => day(new Date(ms))
    const today = dayAt(now())
    while (dayAt(now() + 600 * SECOND) === today) aheadMs += 300 * SECOND
    const stock = { available: 0, expected: [{ date: today, quantity: 5 }] }
    await setStock(api.systems.inventory.controlAddress, 'acme', 'BP-1022', stock)
    const path = '/v1/products/BP-1022'
    expect((await read(path)).body.availability).to.deep.equal({ band: 'LEAD_TIME', eta: today, orderable: true })
    await api.fault('inventory', { status: 500 })
    aheadMs += 1_200 * SECOND
    expect(dayAt(now())).to.not.equal(today)
    const out = { band: 'OUT', eta: null, orderable: false }
    expect((await read(path)).body.availability).to.deep.equal(out)
    expect((await read('/v1/products?q=BP-1022')).status).to.equal(502)
    expect((await read(`${path}/availability`)).body).to.include(out)
  })
})
