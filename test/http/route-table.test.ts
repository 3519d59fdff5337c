import { expect } from 'chai'
import { createRouteTable } from '../../src/http/route-table.ts'

describe('the route table', () => {
  const table = createRouteTable<string>()
  table.add(['GET', 'HEAD'], '/v1/vehicles/makes', 'listMakes')
  table.add(['GET', 'HEAD'], '/v1/vehicles/:vehicle_id/products', 'listVehicleProducts')
  table.add(['GET'], '/v1/carts/:cart_id/lines/:line_id', 'getLine')
  table.add(['PATCH'], '/v1/carts/:cart_id/lines/:line_id', 'updateLine')

  for (const [method, path, target, params] of [
    ['GET', '/v1/vehicles/makes', 'listMakes', {}],
    ['HEAD', '/v1/vehicles/makes/products', 'listVehicleProducts', { vehicle_id: 'makes' }],
    ['PATCH', '/v1/carts/C%2F1/lines/%C3%A9', 'updateLine', { cart_id: 'C/1', line_id: 'é' }],
    ['GET', '/v1/carts/%/lines/%zz', 'getLine', { cart_id: '%', line_id: '%zz' }],
  ] as const) {
    it(`finds ${target} for ${method} ${path}`, () => {
      expect(table.find(method, path)).to.deep.equal({ target, params })
    })
  }

  for (const [method, path] of [
    ['POST', '/v1/vehicles/makes'],
    ['GET', '/v1/vehicles/makes/'],
    ['GET', '/v1/vehicles//products'],
    ['GET', '/v1/Vehicles/makes'],
    ['GET', '/v1/vehicles'],
    ['GET', ''],
  ] as const) {
    it(`finds nothing for ${method} ${path}`, () => {
      expect(table.find(method, path)).to.equal(null)
    })
  }

  it('lists the methods of a path', () => {
    expect(table.methodsOf('/v1/carts/1/lines/2')).to.deep.equal(['GET', 'PATCH'])
    expect(table.methodsOf('/v1/carts/1/lines/')).to.deep.equal([])
  })
})
