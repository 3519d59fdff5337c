import { expect } from 'chai'
import fc from 'fast-check'
import { UpstreamError } from '../../../src/errors.ts'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../../catalog/test-mirror.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createFileMirrorReader, type FileMirrorReader, useMirror } from '../../support/file-mirror-reader.ts'

interface SyncedRow {
  sku: string
  name?: string
  active: boolean
}
const NOON = Date.parse('2026-03-02T12:00:00Z')
const START = '2026-03-01T00:00:00Z'

describe('GET /v1/products?updated_since with a mirror', () => {
  let api: Api
  let key: string
  let file: TestMirror
  let mirror: FileMirrorReader
  let sequence = NOON * 1_000

  before(async () => {
    api = await startApi({ now: () => NOON })
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())
  beforeEach(openFile)
  afterEach(closeFile)

  function openFile() {
    file = openTestMirror()
    mirror = createFileMirrorReader(file)
    mirror.asOf = NOON
    useMirror(api, mirror)
    api.upstreams.purge({ skus: null })
  }
  function closeFile() {
    mirror[Symbol.dispose]()
    file[Symbol.dispose]()
  }

  function write(sku: string, name: string, active = true) {
    sequence += 1
    file.write([toRow(sku, { product: { name, active }, sequence, listPrice: '5.00' })])
  }
  let nonce = 0
  let run = 0
  /** A page that does not come from the cache of responses. */
  async function page(since: string, query = '') {
    const faulty = { 'X-Sandbox-Fault': 'fitment=timeout' }
    const path = `/v1/products?updated_since=${encodeURIComponent(since)}&n=${nonce++}${query}`
    const { status, body } = await api.request(path, { key, headers: faulty })
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }

  it('lists changes in their order, withdrawn products in short, and returns where to go on', async () => {
    write('B', 'one')
    write('A', 'two')
    write('C', 'three', false)
    const { data, sync, pagination } = await page(START)
    expect(data.map(({ sku }: SyncedRow) => sku)).to.deep.equal(['B', 'A', 'C'])
    expect(data[2]).to.deep.equal({ sku: 'C', active: false, updated_at: data[2].updated_at })
    expect(data[0].price).to.include({ amount: '5.00', price_type: 'LIST' })
    expect(pagination).to.include({ total: 3, has_more: false })
    expect(sync).to.deep.equal({
      watermark: '2026-03-02T12:00:00.000004Z',
      as_of: '2026-03-02T12:00:00.000Z',
      lag_seconds: 0,
    })
    const next = await page(sync.watermark)
    expect([next.data, next.sync.watermark]).to.deep.equal([[], sync.watermark])
    write('B', 'four')
    expect((await page(sync.watermark)).data.map(({ sku }: SyncedRow) => sku)).to.deep.equal(['B'])
  })

  it('includes a change at the very instant', async () => {
    write('A', 'one')
    const { watermark } = (await page(START)).sync
    const micros = Number(watermark.slice(20, 26))
    const instant = `${watermark.slice(0, 20)}${String(micros - 1).padStart(6, '0')}Z`
    expect((await page(instant)).data).to.have.lengthOf(1)
  })

  it('says how old the catalog is when it is stale, and only then to the second', async () => {
    write('A', 'one')
    mirror.asOf = NOON - 61_500
    expect((await page(START)).sync).to.include({ as_of: '2026-03-02T11:58:00.000Z', lag_seconds: 0 })
    mirror.failure = 'unavailable'
    const { sync, errors } = await page(START)
    expect(sync).to.include({ as_of: '2026-03-02T11:58:58.500Z', lag_seconds: 62 })
    expect(errors[0]).to.include({ field: 'data', stale: true })
  })

  it('applies the other filters to the changes', async () => {
    write('A', 'brake pad')
    write('B', 'oil filter')
    write('C', 'gone', false)
    const { data, pagination } = await page(START, '&q=pads')
    expect(data.map(({ sku }: SyncedRow) => sku)).to.deep.equal(['A', 'C'])
    expect(pagination).to.include({ count: 2, total: null, has_more: false })
  })

  it('does not move the watermark of a page whose start this process has not seen', async () => {
    for (const sku of ['A', 'B', 'C']) write(sku, sku)
    const { data, sync } = await page(START, '&limit=2&offset=2')
    expect([data.length, sync.watermark]).to.deep.equal([1, START])
  })

  it('misses no change when the next page comes from the systems, because the mirror was turned off', async () => {
    const change = (sku: string, name: string) =>
      updateProduct(api.systems.inventory.controlAddress, 'acme', sku, { name })
    const missed = await change('OF-1006', 'noticed later, because it became visible late')
    sequence = Date.parse(missed) * 1_000 + 1_500_000
    write('OF-1005', 'noticed')
    const { watermark } = (await page(START)).sync
    expect(watermark > missed).to.equal(true)
    mirror.state = 'off'
    const { data, sync } = await page(watermark)
    const names = data.flatMap(({ sku, name }: SyncedRow) => (sku === 'OF-1006' ? [name] : []))
    expect(names).to.deep.equal(['noticed later, because it became visible late'])
    expect(sync).to.deep.equal({ watermark: sync.watermark, as_of: null, lag_seconds: null })
    const next = await page(sync.watermark)
    expect(next.data.map(({ sku }: SyncedRow) => sku)).to.include('OF-1006')
    expect(next.sync.watermark >= sync.watermark, 'it does not go back again').to.equal(true)
  })

  it('is refused until there is another file when the file cannot be read', async () => {
    mirror.changes = () => {
      mirror.state = 'filling'
      return { value: null, error: new UpstreamError('unavailable', 'damaged'), asOf: 0 }
    }
    const { status, headers, body } = await api.request(`/v1/products?updated_since=${START}`, { key })
    expect([status, body.code, headers['retry-after']]).to.deep.equal([503, 'catalog_loading', '5'])
  })

  const changes = fc.array(
    fc.array(fc.record({ sku: fc.integer({ min: 0, max: 11 }), active: fc.boolean() }), { maxLength: 8 }),
    { minLength: 6, maxLength: 14 },
  )

  for (const way of ['by watermark', 'by offset', 'by offset, counting rows'] as const) {
    it(`a client that reads ${way} ends with the catalog, whatever changes between its pages`, async () => {
      await fc.assert(
        fc.asyncProperty(changes, async (batches) => {
          closeFile()
          openFile()
          const catalog = new Map<string, string>()
          let version = 0
          const change = (batch: readonly { sku: number; active: boolean }[]) => {
            for (const { sku, active } of batch) {
              write(`S-${sku}`, `v${++version}`, active)
              catalog.set(`S-${sku}`, active ? `v${version}` : 'withdrawn')
            }
          }
          change(Array.from({ length: 12 }, (_, sku) => ({ sku, active: true })))
          const copy = new Map<string, string>()
          // Another beginning in each run: this process remembers where pages began.
          let since = new Date(Date.parse(START) + ++run * 1_000).toISOString()
          let offset = 0
          for (const batch of [...batches, ...new Array(12).fill([])]) {
            const { data, sync, pagination } = await page(since, `&limit=5&offset=${offset}`)
            for (const row of data as SyncedRow[]) copy.set(row.sku, row.active ? row.name! : 'withdrawn')
            if (way === 'by watermark' || !pagination.has_more) {
              since = sync.watermark
              offset = 0
            } else offset = way === 'by offset' ? pagination.next_offset : offset + data.length
            change(batch)
          }
          expect(copy).to.deep.equal(catalog)
        }),
        { numRuns: 12 },
      )
    })
  }

  it('has a total on each page, also where its walk began in the middle of the changes', async () => {
    const beginning = '2026-02-01T00:00:00Z'
    for (const sku of ['A', 'B', 'C', 'D', 'E']) write(sku, 'one')
    const { sync } = await page(beginning, '&limit=1')
    for (const [since, total] of [
      [beginning, 5],
      [sync.watermark, 4],
    ] as const)
      for (const offset of [0, 1, 2])
        expect((await page(since, `&limit=1&offset=${offset}`)).pagination).to.include({ total, offset })
    expect((await page(sync.watermark, '&limit=1&offset=9')).pagination).to.include({ total: 4, count: 0 })
  })
})
