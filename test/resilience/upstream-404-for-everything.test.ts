import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import type { SystemConfig } from '../../src/config/system-config.ts'
import { type Api, startApi } from '../support/api.ts'
import { type FaultProxy, type ProxyRoute, startFaultProxy } from '../support/fault-proxy.ts'
import { until } from '../support/until.ts'

const SECOND = 1_000
const START = Date.now()
const nginx = '<html><head><title>404 Not Found</title></head><body>nginx</body></html>'
const notFound = { status: 404, headers: { 'content-type': 'text/html' }, body: nginx }
const ownNotFound = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"error":"not_found","detail":"gone"}',
}

describe('an upstream that answers 404 to everything', () => {
  let proxy: FaultProxy
  let route: ProxyRoute
  let api: Api
  let key: string
  let aheadMs = 0
  let vehicle: number

  before(async () => {
    proxy = await startFaultProxy()
  })
  after(() => proxy[Symbol.asyncDispose]())

  beforeEach(async () => {
    aheadMs = 0
    route = proxy.createRoute()
    const through = (system: SystemConfig) => ({ ...system, address: route.addressFor(system.address) })
    api = await startApi({
      now: () => START + aheadMs,
      merchants: (systemsOf) => {
        const { inventory, pricing, accounting } = systemsOf('acme-live') as Record<string, SystemConfig>
        const live = { inventory: through(inventory!), pricing: through(pricing!), accounting: through(accounting!) }
        return [{ merchant: 'proxied', live }]
      },
    })
    key = await api.key({ merchant: 'proxied', mode: 'live' })
    const fitments = await read(`/v1/products/${knownSkus.inStock}/fitments`)
    vehicle = fitments.body.data[0].vehicle_id
  })
  afterEach(() => api[Symbol.asyncDispose]())

  const read = (path: string) => api.request(path, { key })
  const paths = () => [
    `/v1/products/${knownSkus.inStock}`,
    `/v1/products/${knownSkus.inStock}/fitments`,
    `/v1/vehicles/${vehicle}/products?limit=3`,
    '/v1/products?limit=3',
    '/v1/categories',
  ]
  const readAll = () => Promise.all(paths().map(read))
  const isWell = async () => (await readAll()).every(({ status, body }) => status === 200 && body.errors.length === 0)

  it('is no answer about known things, and they are whole again as soon as it is well', async () => {
    const whole = await readAll()
    route.setPlan(() => notFound)
    // Past the time for which a list is served without a call.
    aheadMs += 400 * SECOND
    for (const [index, reply] of (await readAll()).entries()) {
      expect([reply.status, reply.body.data?.length], paths()[index]).to.deep.equal([
        200,
        whole[index]!.body.data?.length,
      ])
      const [error] = reply.body.errors
      expect(['invalid_downstream_response', 'circuit_open']).to.include(error.code)
      expect(error.stale).to.equal(true)
    }
    route.setPlan()
    await until('everything is whole', isWell)
  })

  it('is no answer about things that nobody has read before', async () => {
    const unread = [
      '/v1/products/BP-1002',
      '/v1/products/BP-1002/fitments',
      `/v1/vehicles/${vehicle}/products?limit=7`,
      '/v1/products?q=brake',
    ]
    route.setPlan(() => notFound)
    for (const path of unread) {
      const { status, body } = await read(path)
      expect([502, 503], `${path} ${body.code}`).to.include(status)
    }
    route.setPlan()
    for (const path of unread) await until(`${path} is read`, async () => (await read(path)).status === 200)
  })

  it('is not believed about a known thing by one answer, even in the words of the protocol', async () => {
    const [, fitments, products] = await readAll()
    aheadMs += 400 * SECOND
    route.setPlan(() => ownNotFound)
    const known = [paths()[1]!, paths()[2]!]
    for (const [index, path] of known.entries()) {
      const { status, body } = await read(path)
      expect([status, body.errors.at(-1)?.stale], path).to.deep.equal([200, true])
      expect(body.data).to.have.length([fitments, products][index]!.body.data.length)
    }
    aheadMs += 5 * SECOND
    const vehiclePath = paths()[2]!
    await until('its absence is confirmed', async () => (await read(vehiclePath)).status === 404)
    route.setPlan()
    aheadMs += 5 * SECOND
    await until('it is read again after five seconds', isWell)
  })
})
