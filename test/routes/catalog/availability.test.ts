import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { daysBetween } from '../../../src/calendar/days-between.ts'
import { createLocalDay } from '../../../src/calendar/local-day.ts'
import { type StockUpdate, setStock } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

const DAY_MS = 86_400_000
/** The clock stands still, so that no day ends meanwhile. */
const NOW = Date.now()
const day = (offset: number) => createLocalDay('America/Jamaica')(new Date(NOW + offset * DAY_MS))
const nothing = { eta: null, lead_time_days: null }

describeWithAndWithoutMirror('GET /v1/products/:sku/availability', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror, now: () => NOW })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  async function read(sku: string) {
    const { status, body } = await api.request(`/v1/products/${encodeURIComponent(sku)}/availability`, { key })
    expect(status).to.equal(200)
    const { as_of, ...rest } = body
    return { as_of, rest }
  }
  async function stock(
    sku: string,
    available: number,
    expected: Required<StockUpdate>['expected'],
    policy?: Partial<StockUpdate>,
  ) {
    await setStock(api.systems.inventory.controlAddress, 'acme', sku, { available, expected, ...policy })
    await api.fillMirror({ skus: [sku] })
  }

  for (const [sku, band] of Object.entries({
    [knownSkus.inStock]: 'IN_STOCK',
    [knownSkus.low]: 'LOW',
    [knownSkus.out]: 'OUT',
    [knownSkus.overdue]: 'OUT',
  })) {
    it(`returns ${band} for ${sku}`, async () => {
      const { as_of, rest } = await read(sku)
      expect(rest).to.deep.equal({ sku, band, orderable: band !== 'OUT', ...nothing, errors: [] })
      expect(Date.parse(as_of)).to.be.within(NOW - 60_000, Date.now())
    })
  }

  for (const sku of [knownSkus.leadTime, knownSkus.overdueAndFuture, knownSkus.oversold]) {
    it(`returns the expected day of ${sku} in the merchant's time zone`, async () => {
      const { band, eta, lead_time_days } = (await read(sku)).rest
      expect(band).to.equal('LEAD_TIME')
      expect(eta >= day(0)).to.equal(true)
      expect(lead_time_days).to.equal(daysBetween(day(0), eta))
    })
  }

  it('returns the day on which receipts also cover open orders', async () => {
    await stock('BP-1021', -10, [
      { date: day(8), quantity: 20 },
      { date: day(3), quantity: 10 },
      { date: day(-2), quantity: 500 },
    ])
    const { rest } = await read('BP-1021')
    expect(rest).to.include({ band: 'LEAD_TIME', eta: day(8), lead_time_days: 8 })
  })

  it('returns a lead time of 0 days for stock that arrives today', async () => {
    await stock('BP-1022', 0, [{ date: day(0), quantity: 3 }])
    expect((await read('BP-1022')).rest).to.include({ band: 'LEAD_TIME', eta: day(0), lead_time_days: 0 })
  })

  it('returns no day when receipts never cover open orders', async () => {
    await stock('BP-1023', -10, [{ date: day(2), quantity: 10 }])
    expect((await read('BP-1023')).rest).to.include({ band: 'OUT', ...nothing })
  })

  it('says whether it may be ordered while it is out of stock', async () => {
    await stock('BP-1024', 0, [], { sell_when_out: true })
    expect((await read('BP-1024')).rest).to.include({ band: 'OUT', orderable: true, ...nothing })
    await stock('BP-1025', 0, [{ date: day(4), quantity: 5 }], { sell_when_out: false })
    expect((await read('BP-1025')).rest).to.include({ band: 'LEAD_TIME', eta: day(4), orderable: false })
  })

  it('is IN_STOCK for what nobody counts', async () => {
    await stock('BP-1026', 0, [], { untracked: true })
    expect((await read('BP-1026')).rest).to.include({ band: 'IN_STOCK', orderable: true, ...nothing })
  })

  it('returns no band where the stock is unknown', async () => {
    expect((await read(knownSkus.noStockRecord)).rest).to.deep.include({ band: null, ...nothing })
  })

  for (const sku of knownSkus.awkward) {
    it(`finds ${sku}`, async () => {
      expect((await read(sku)).rest).to.include({ sku, band: 'IN_STOCK' })
    })
  }

  for (const sku of ['NOPE-1', knownSkus.deactivated, '..', 'a'.repeat(500)]) {
    it(`is 404 for ${sku.slice(0, 20)}`, async () => {
      expect((await api.request(`/v1/products/${sku}/availability`, { key })).status).to.equal(404)
    })
  }
})

describeWithAndWithoutMirror('POST /v1/availability/batch', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror, now: () => NOW })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const ask = (skus: unknown) => api.request('/v1/availability/batch', { key, body: { skus } })

  it('returns each SKU once, in the requested order, and lists unknown SKUs', async () => {
    const [slash, percent] = knownSkus.awkward
    const { body } = await ask([
      'BP-1003',
      'NOPE-1',
      slash,
      'BP-1001',
      'BP-1003',
      percent,
      'NOPE-1',
      knownSkus.deactivated,
    ])
    const rows = body.data.map(({ as_of: _, ...row }: { as_of: string }) => row)
    expect(rows).to.deep.equal([
      { sku: 'BP-1003', band: 'OUT', orderable: false, ...nothing },
      { sku: slash, band: 'IN_STOCK', orderable: true, ...nothing },
      { sku: 'BP-1001', band: 'IN_STOCK', orderable: true, ...nothing },
      { sku: percent, band: 'IN_STOCK', orderable: true, ...nothing },
    ])
    expect(body.unknown_skus).to.deep.equal(['NOPE-1', knownSkus.deactivated])
    expect(body.errors).to.deep.equal([])
  })

  it('returns the same as the single read', async () => {
    const sku = knownSkus.leadTime
    const { errors: _, ...single } = (await api.request(`/v1/products/${sku}/availability`, { key })).body
    expect((await ask([sku])).body.data).to.deep.equal([single])
  })

  // A mirror with all products knows which SKUs there are.
  const calls = Number(mirror === null)
  it(`reads 200 SKUs with ${calls} calls to one system`, async () => {
    const skus = Array.from({ length: 200 }, (_, i) => `EO-${5_000 + i}`)
    const before = api.systems.inventory.calls.lookupProducts ?? 0
    const { body } = await ask(skus)
    expect(body.unknown_skus).to.deep.equal(skus)
    expect(api.systems.inventory.calls.lookupProducts! - before).to.equal(calls)
  })

  for (const sku of ['', '..', 'x'.repeat(129), 'é'.repeat(5_000), '\u0000']) {
    it(`does not fail for one invalid SKU: ${JSON.stringify(sku.slice(0, 8))}`, async () => {
      const { status, body } = await ask(['BP-1001', sku])
      expect(status).to.equal(200)
      expect(body.data.map((row: { sku: string }) => row.sku)).to.deep.equal(['BP-1001'])
      expect(body.unknown_skus).to.have.length(1)
    })
  }

  for (const [what, skus, type] of [
    ['none', [], 'too_short'],
    ['201', Array.from({ length: 201 }, (_, i) => `A-${i}`), 'too_long'],
    ['a number', [7], 'string_type'],
    ['half a character', ['\ud800'], 'string_unicode'],
    ['text', 'BP-1001', 'list_type'],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const { status, body } = await ask(skus)
      expect([status, body.detail[0].type]).to.deep.equal([422, type])
    })
  }

  it('is never cached', async () => {
    const { headers } = await ask(['BP-1001'])
    expect(headers['cache-control']).to.equal('private, no-store')
    expect(headers['forecourt-complete']).to.equal('true')
  })

  it('ignores a tenant and a customer in the body', async () => {
    const body = { skus: ['BP-1002'], tenant_id: 'zenith', customer_id: 'C-1001' }
    const { status } = await api.request('/v1/availability/batch', { key, body })
    expect(status).to.equal(200)
  })
})
