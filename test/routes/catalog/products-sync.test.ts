import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

interface Row {
  sku: string
  active: boolean
  updated_at: string
}

/** Returns the local time of a zone that is so many hours ahead of UTC. */
type LocalTime = (hours: number) => string

describeWithAndWithoutMirror('GET /v1/products?updated_since', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const since = async (moment: string, more = '&limit=200') =>
    (await api.request(`/v1/products?updated_since=${moment}${more}`, { key })).body
  /** Changes a product. Returns a moment from which its change is listed: with a mirror, when Forecourt noticed it. */
  async function change(sku: string, to: object) {
    const before = new Date().toISOString()
    const updated_at = await updateProduct(api.systems.inventory.controlAddress, 'acme', sku, to)
    await api.fillMirror({ skus: [sku] })
    return { updated_at, moment: mirror ? before : updated_at }
  }

  it('returns all products, deactivated ones in short, ordered by change and SKU', async () => {
    const rows: Row[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { data, pagination } = await since('2000-01-01T00:00:00Z', `&limit=200&offset=${offset}`)
      rows.push(...data)
      offset = pagination.next_offset
    }
    const order = rows.map(({ updated_at, sku }) => `${updated_at} ${sku}`)
    // A mirror lists changes in the order in which Forecourt noticed them.
    if (!mirror) expect(order).to.deep.equal(order.toSorted())
    const withdrawn = rows.find(({ sku }) => sku === knownSkus.deactivated)!
    expect(withdrawn).to.deep.equal({ sku: knownSkus.deactivated, active: false, updated_at: withdrawn.updated_at })
    const all = (await api.request('/v1/products?limit=1', { key })).body.pagination.total
    expect(rows.filter(({ active }) => active)).to.have.length(all)
  })

  it('includes changes at the given time, and none before it', async () => {
    const first = await change('OF-1005', { description: 'new', active: true })
    const second = await change('OF-1006', { description: 'new', active: true })
    expect(first.moment <= second.moment).to.equal(true)
    const skus = async (moment: string) => (await since(moment)).data.map(({ sku }: Row) => sku)
    expect(await skus(first.moment)).to.deep.equal(['OF-1005', 'OF-1006'])
    const { watermark } = (await since(first.moment)).sync
    const after = mirror ? watermark : new Date(Date.parse(second.moment) + 1).toISOString()
    expect(await skus(after)).to.deep.equal([])
  })

  it('returns a product that was withdrawn since then', async () => {
    const { updated_at, moment } = await change('OF-1007', { active: false })
    const { data } = await since(moment)
    expect(data).to.deep.include({ sku: 'OF-1007', active: false, updated_at })
    expect((await api.request('/v1/products/OF-1007', { key })).status).to.equal(404)
  })

  it('returns a watermark with which the next call misses nothing and never goes back', async () => {
    const from = '2020-01-01T00:00:00Z'
    const page = await since(from)
    const { watermark } = page.sync
    expect(watermark > from).to.equal(true)
    const next = await since(watermark)
    const repeated = page.data.at(-1).sku
    // A system may have more changes of the same moment. The watermark of a mirror repeats no row.
    if (!mirror) expect(watermark <= page.data.at(-1).updated_at).to.equal(true)
    if (mirror) expect(next.data.map(({ sku }: Row) => sku)).to.not.include(repeated)
    else expect(next.data.map(({ sku }: Row) => sku)).to.include(repeated)
    expect(next.sync.watermark > watermark).to.equal(true)
  })

  it('returns no watermark later than our own clock, which a mirror follows, when the inventory’s is ahead', async () => {
    const now = Date.now() - 3_600_000
    await using late = await startApi({ now: () => now })
    const changed = await updateProduct(late.systems.inventory.controlAddress, 'acme', 'OF-1005', {
      description: 'new',
    })
    const path = `/v1/products?updated_since=${new Date(now - 7_200_000).toISOString()}`
    const { data, sync } = (await late.request(path, { key: await late.key() })).body
    expect([data.at(-1).updated_at, Date.parse(changed) > now]).to.deep.equal([changed, true])
    expect(Date.parse(sync.watermark)).to.be.within(now - 60_000, now)
  })

  it('keeps the watermark when nothing has changed', async () => {
    const moment = new Date(Date.now() + 30_000).toISOString()
    const { data, sync, pagination } = await since(moment)
    expect({ data, total: pagination.total }).to.deep.equal({ data: [], total: 0 })
    expect(sync.watermark).to.equal(moment)
  })

  it('returns no watermark in the future, and has a hint, when updated_since is', async () => {
    const ask = () => api.request('/v1/products?updated_since=9999-12-31T23:59:59Z', { key })
    const startedAt = Date.now()
    for (const { body, headers } of [await ask(), await ask()]) {
      expect(body.data).to.deep.equal([])
      expect(Date.parse(body.sync.watermark)).to.be.within(startedAt, Date.now())
      expect(headers['forecourt-hint']).to.equal(
        'updated_since is in the future, so nothing has changed since. Send the watermark of the last page, or an earlier time.',
      )
    }
    const past = await api.request('/v1/products?updated_since=2020-01-01T00:00:00Z', { key })
    expect(past.headers['forecourt-hint']).to.equal(undefined)
  })

  for (const [how, toMoment] of Object.entries({
    'an encoded plus': (at: LocalTime) => `${at(5)}%2B05:00`,
    'a plus that became a space': (at: LocalTime) => `${at(5)}+05:00`,
    'an offset to the west': (at: LocalTime) => `${at(-5)}-05:00`,
    fractions: (at: LocalTime) => `${at(0)}.000Z`,
  })) {
    it(`takes ${how}`, async () => {
      // Half a minute ahead: no product has changed since.
      const soon = Math.floor(Date.now() / 1_000 + 30) * 1_000
      const { sync } = await since(
        toMoment((hours) => new Date(soon + hours * 3_600_000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)),
      )
      expect(Date.parse(sync.watermark)).to.equal(soon)
      expect(sync.watermark).to.match(/Z$/)
    })
  }

  it('combines with the other filters', async () => {
    const { moment } = await change('OL-1003', { description: 'sync me', active: true })
    const { data } = await since(moment, '&category=engine-oil')
    expect(data.map(({ sku }: Row) => sku))
      .to.include('OL-1003')
      .and.not.include('OF-1007')
  })

  for (const moment of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01', '2026-01-01']) {
    it(`accepts ${moment}, as FastAPI does`, async () => {
      const { status } = await api.request(`/v1/products?updated_since=${moment}&limit=1`, { key })
      expect(status).to.equal(200)
    })
  }

  for (const moment of ['0', '2026', '20260101', '1700000000', '-1', '1.7e9', '1700000000.5']) {
    it(`rejects ${moment}, which FastAPI takes for seconds since 1970`, async () => {
      const { status, body } = await api.request(`/v1/products?updated_since=${moment}`, { key })
      expect([status, body.detail[0].type]).to.deep.equal([422, 'datetime_from_number'])
      expect([body.detail[0].loc, body.detail[0].input]).to.deep.equal([['query', 'updated_since'], moment])
    })
  }

  for (const moment of ['yesterday', '', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z']) {
    it(`rejects "${moment}"`, async () => {
      const { status, body } = await api.request(`/v1/products?updated_since=${moment}`, { key })
      expect([status, body.detail[0].loc]).to.deep.equal([422, ['query', 'updated_since']])
    })
  }
})
