import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Adapter } from '../../../src/ports/adapter.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

const START = '2020-01-01T00:00:00Z'
const notOffered = { field: 'data', code: 'not_configured' }
const rest = adapters.rest!

/** A back office such as Tryton or Odoo, whose inventory knows no vehicles. */
const withoutVehicles: Adapter = {
  ...rest,
  connect(...args) {
    const ports = rest.connect(...args)
    const { vehicleFacet: _, vehicleItems: __, fitments: ___, ...inventory } = ports.inventory!
    const search: typeof inventory.search = (query, ...more) =>
      query.vehicle_id === undefined
        ? inventory.search(query, ...more)
        : Promise.reject(new UpstreamError('not_configured', 'vehicles are not supported'))
    return { ...ports, inventory: { ...inventory, search } }
  },
}

describeWithAndWithoutMirror('vehicles of a merchant without a source of fitment', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror, adapters: { ...adapters, rest: withoutVehicles } })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  async function read(path: string) {
    const { status, body } = await api.request(path, { key })
    const errors = body.errors?.map(({ field, code }: { field: string; code: string }) => ({ field, code }))
    return { status, ...body, errors }
  }

  it('are not offered, in lists with filters of any kind', async () => {
    const queries = [
      'limit=9',
      'q=oil',
      ...(mirror ? ['facets=brand', 'sort=price', 'brand=Tamaro', 'q=oil&facets=tag'] : []),
    ]
    for (const query of queries)
      for (const path of [`/v1/products?vehicle_id=1&${query}`, `/v1/vehicles/1/products?${query}`]) {
        const { status, data, errors } = await read(path)
        expect([status, data], path).to.deep.equal([200, []])
        expect(errors, path).to.deep.include(notOffered)
      }
  })

  it('leave a sync where it is, so that a source that is configured later misses no change', async () => {
    for (const query of ['', '&q=oil']) {
      const path = `/v1/products?vehicle_id=1&updated_since=${START}${query}`
      const { status, data, errors, pagination, sync } = await read(path)
      expect([status, data, errors[0]], path).to.deep.equal([200, [], notOffered])
      expect([pagination.has_more, Date.parse(sync.watermark)], path).to.deep.equal([false, Date.parse(START)])
    }
  })

  it('with an id that no vehicle has are none', async () => {
    for (const query of ['limit=9', ...(mirror ? ['facets=brand'] : [])]) {
      const { status, data, vehicle, errors } = await read(`/v1/products?vehicle_id=-1&${query}`)
      expect([status, data, vehicle, errors], query).to.deep.equal([200, [], null, []])
      expect(await read(`/v1/vehicles/-1/products?${query}`), query).to.include({ status: 404, code: 'not_found' })
    }
  })
})
