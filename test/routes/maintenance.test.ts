import { expect } from 'chai'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { endMaintenance, listMaintenance, startMaintenance } from '../../src/storage/operators/system-maintenance.ts'
import type { CallTrace } from '../../src/upstream/request/call-trace.ts'
import { type Api, startApi } from '../support/api.ts'
import { stores, type TestStore } from '../support/stores.ts'
import { until as waitUntil } from '../support/until.ts'

const HOUR_MS = 3_600_000

for (const store of stores()) describe(`planned maintenance: ${store.name}`, () => suite(store)).timeout(300_000)

function suite(store: TestStore): void {
  let api: Api
  let key: string
  const startedAt = Date.now()
  const untilMs = startedAt + 2 * HOUR_MS
  const until = new Date(untilMs).toISOString()
  const pricing = { merchant: 'acme', mode: 'sandbox', system: 'pricing', by: 'anna' } as const
  const inventory = { ...pricing, system: 'inventory' } as const
  const get = (path: string, of = key) => api.request(path, { key: of })
  const isHeld = (system: string) =>
    api.upstreams
      .states()
      .some((of) => of.merchant === 'acme' && of.mode === 'sandbox' && of.circuit === system && of.held !== null)

  before(async () => {
    await store.open()
    api = await startApi({ store: store.url(), operations: {} })
    key = await api.key()
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await store.close()
  })

  it('tells storefronts of one merchant until when, and calls nothing', async () => {
    await startMaintenance(api.db, { ...pricing, untilMs }, Date.now())
    await waitUntil('maintenance is followed', () => isHeld('pricing'))
    const { status, body } = await get('/v1/products/BP-1002')
    expect([status, body.price]).to.deep.equal([200, null])
    const entry = body.errors.find(({ field }: { field: string }) => field === 'price')
    expect(entry.retry_after_ms).to.be.within(HOUR_MS, 2 * HOUR_MS)
    delete entry.retry_after_ms
    expect(entry).to.deep.equal({
      field: 'price',
      code: 'maintenance',
      detail: 'The upstream system is under planned maintenance, which ends at `until`.',
      until,
    })
    const other = await get('/v1/products/BP-1002', await api.key({ merchant: 'zenith' }))
    expect(other.body.errors).to.deep.equal([])
  })

  it('is a 503 with its end where nothing can be shown', async () => {
    await startMaintenance(api.db, { ...inventory, untilMs }, Date.now())

    await waitUntil('maintenance is followed', () => isHeld('inventory') && isHeld('inventory-search'))
    const { status, headers, body } = await get('/v1/products/BP-1003')
    expect([status, body.code, body.until]).to.deep.equal([503, 'maintenance', until])
    expect(Number(headers['retry-after'])).to.be.within(3_600, 7_200)
    const list = await get('/v1/products')
    expect([list.status, list.body.code]).to.deep.equal([503, 'maintenance'])
  })

  it('is no incident', async () => {
    const records = () => api.db.selectFrom('request_records').selectAll().execute()
    await waitUntil('maintenance is followed', async () => (await records()).length >= 3)
    const calls = (await records()).flatMap(({ document }) => (JSON.parse(document) as { calls: CallTrace[] }).calls)
    expect(calls.filter(({ outcome }) => outcome !== 'ok')).to.satisfy((failed: CallTrace[]) =>
      failed.every(({ outcome, attempts }) => outcome === 'maintenance' && attempts === 0),
    )
    expect((await listIncidents(api.db, { limit: 9 })).incidents).to.deep.equal([])
  })

  it('is listed, and ends', async () => {
    const of = { merchant: 'acme', mode: 'sandbox', untilMs, by: 'anna' }
    expect(await listMaintenance(api.db, Date.now())).to.have.deep.members([
      { ...of, system: 'pricing' },
      { ...of, system: 'inventory' },
    ])
    for (const system of [pricing, inventory]) expect(await endMaintenance(api.db, system, Date.now())).to.equal(true)
    expect(await endMaintenance(api.db, pricing, Date.now())).to.equal(false)
    expect(await listMaintenance(api.db, Date.now())).to.deep.equal([])
    await waitUntil(
      'maintenance is followed',
      () => !isHeld('pricing') && !isHeld('inventory') && !isHeld('inventory-search'),
    )
    const { status, body } = await get('/v1/products/BP-1003')
    expect([status, body.errors]).to.deep.equal([200, []])
  })
}
