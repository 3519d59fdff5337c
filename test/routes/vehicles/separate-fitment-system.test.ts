import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { SystemConfig } from '../../../src/config/system-config.ts'
import { readRequestRecords } from '../../../src/diagnostics/reports/request-records.ts'
import { type RunningSystem, startSystem } from '../../../src/sandbox/start-system.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { until } from '../../support/until.ts'

describeWithAndWithoutMirror('a merchant whose fitment is another system', (mirror) => {
  let directory: string
  let garage: RunningSystem
  let api: Api
  let key: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-garage-'))
    garage = await startSystem({ system: 'inventory', directory, accounts: ['catalog'] })
    const fitment: SystemConfig = {
      adapter: 'rest',
      address: `${garage.address}/catalog`,
      settings: { token: 'sandbox' },
      limits: { timeoutMs: 20_000 },
      maxResponseBytes: 16 * 1_048_576,
    }
    api = await startApi({
      mirror,
      merchants: (of) => [{ merchant: 'mixed', live: of('acme-live'), sandbox: { ...of('acme'), fitment } }],
    })
    key = await api.key({ merchant: 'mixed' })
    const { data } = (await read('/v1/vehicles/1139/products?limit=200')).body
    const skus = ['BP-1001', ...data.map(({ sku }: { sku: string }) => sku)]
    for (const merchant of ['mixed', 'acme'])
      await api.fillMirror({ tenant: { merchant, mode: 'sandbox' }, skus, vehicles: true })
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await garage.stop()
    await rm(directory, { recursive: true, force: true })
  })
  afterEach(() => Promise.all([api.clearFaults(), garage.setFault({})]))

  const read = (path: string) => api.request(path, { key })

  it('responds as an inventory with the same vehicles would', async () => {
    const own = await api.key()
    for (const path of [
      ...['/v1/vehicles/years', '/v1/vehicles/makes?year=2015', '/v1/vehicles/models?year=2015&make=Toyota'],
      ...[
        '/v1/products?vehicle_id=1139&limit=200',
        '/v1/products?vehicle_id=1139&q=brake',
        '/v1/vehicles/1139/products',
      ],
      ...['/v1/vehicles/1139/products?limit=7&offset=7', '/v1/products/BP-1001/fitments'],
    ]) {
      const [one, other] = [await read(path), await api.request(path, { key: own })]
      expect(one.status, path).to.equal(200)
      const plain = (body: unknown) => JSON.parse(JSON.stringify(body).replace(/"as_of":"[^"]*"/g, '"as_of":""'))
      expect(plain(one.body), path).to.deep.equal(plain(other.body))
    }
    expect((await read('/v1/vehicles/999999/products')).status).to.equal(404)
    const unknown = (await read('/v1/products?vehicle_id=999999')).body
    expect([unknown.data, unknown.vehicle, unknown.errors]).to.deep.equal([[], null, []])
    const { vehicle } = (await read('/v1/vehicles/1139/products?limit=1')).body
    expect((await read('/v1/products?vehicle_id=1139&limit=1')).body.vehicle).to.deep.equal(vehicle)
    expect((await read('/v1/products?limit=1')).body).to.not.have.property('vehicle')
  })

  if (mirror) {
    it('is not called for what the mirror has, so its failure changes nothing', async () => {
      const { body } = await read('/v1/vehicles/1139/products?limit=9')
      await garage.setFault({ status: 503 })
      const again = await read('/v1/vehicles/1139/products?limit=9&n=1')
      expect([again.status, again.body]).to.deep.equal([200, body])
    })
    return
  }

  it('calls that system for vehicles only, and inventory for everything else', async () => {
    const { calls } = api.systems.inventory
    const before = { ...calls }
    expect((await read('/v1/vehicles/1141/products')).status).to.equal(200)
    expect(Object.keys(garage.calls)).to.deep.equal(
      Object.keys(garage.calls).filter((call) => /Vehicle|Fitments/.test(call)),
    )
    expect(calls.searchProductsAmong! - before.searchProductsAmong!).to.equal(1)
    expect(calls.listVehicleProducts).to.equal(before.listVehicleProducts)
  })

  it('is reported with its call where it failed', async () => {
    await garage.setFault({ status: 503 })
    const headers = { 'X-Request-Id': 'no-vehicle' }
    expect((await api.request('/v1/vehicles/1203/products', { key, headers })).status).to.equal(502)
    await until('it is recorded', async () => (await readRequestRecords(api.db, 'no-vehicle')).length > 0)
    const [record] = await readRequestRecords(api.db, 'no-vehicle')
    expect(record!.sections).to.have.lengthOf(1)
    expect(record!.sections[0]).to.include({ outcome: 'error', system: 'fitment', cause: 'responded 503' })
    expect(record!.calls.map(({ system, operation, outcome }) => [system, operation, outcome])).to.deep.equal([
      ['fitment', 'vehicle', 'error'],
    ])
  })

  it('has its own circuit: the catalog works while it is open, and health reports it', async () => {
    await garage.setFault({ status: 503 })
    await until('its circuit is open', async () => {
      const reads = Array.from({ length: 12 }, (_, at) => read(`/v1/vehicles/makes?year=${1900 + at}`))
      return (await Promise.all(reads)).some(({ body }) => body.code === 'circuit_open')
    })
    expect((await read('/v1/products?limit=3')).body.errors).to.deep.equal([])
    // Sometimes a probe is let through, and fails again.
    const refused = async () => (await read('/v1/products?vehicle_id=1202')).body.code === 'circuit_open'
    await until('who asks for a vehicle is refused', refused)
    const health = await api.request('/health')
    expect([health.status, health.body.checks.upstreams.status]).to.deep.equal([200, 'degraded'])
  })
})
