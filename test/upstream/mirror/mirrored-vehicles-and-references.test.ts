import { expect } from 'chai'
import { REFERENCES_TAG } from '../../../src/cache/invalidations.ts'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createNumberReader } from '../../../src/catalog/mirror/read/product-number-reader.ts'
import { NO_DETAILS, toProductFitment } from '../../../src/catalog/mirror/vehicles/product-fitment.ts'
import { createVehicleReader } from '../../../src/catalog/mirror/vehicles/vehicle-and-fitment-reader.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'
import { withVehicleMirror } from '../../../src/upstream/mirror/mirrored-vehicles-and-references.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
import type { RequestedFaults } from '../../../src/upstream/request/requested-faults.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../../catalog/test-mirror.ts'

const corolla = {
  vehicle_id: 7,
  year: 2010,
  make: 'Toyota',
  model: 'Corolla',
  submodel: null,
  engine: null,
  market: 'JM',
}
const oem = (number: string) => ({ kind: 'OEM' as const, brand: null, number, customer_id: null })
const AT = 1_700_000_000_000

describe('a back office with mirrored vehicles', () => {
  let mirror: TestMirror
  let stack: DisposableStack
  /** The methods of the systems that were called. */
  let asked: string[]
  let filled: Set<string>
  let staleness: UpstreamError | null

  beforeEach(() => {
    stack = new DisposableStack()
    mirror = stack.use(openTestMirror())
    asked = []
    filled = new Set(['vehicles', 'references', 'products'])
    staleness = null
    const front = toProductFitment(null, [{ ...corolla, fitment: { ...NO_DETAILS, positions: ['FRONT'] } }])
    const all = toProductFitment(NO_DETAILS, [])
    const own = { kind: 'CUSTOMER' as const, brand: null, number: 'MY-1', customer_id: 'C-1' }
    mirror.write(
      [
        toRow('A', { fitment: front, vehicles: [7], references: [oem('X-1'), own] }),
        toRow('B', { fitment: all, universal: true, references: [oem('x1')] }),
        toRow('C', {}),
      ],
      { vehicles: [corolla] },
    )
  })
  afterEach(() => stack.dispose())

  function connect(hasFormerIds = false): BackOffice {
    const database = openMirrorForReading(mirror.path)!
    stack.defer(() => database.close())
    const readers = { ...createVehicleReader(database), ...createNumberReader(database) }
    const ask = (name: string) => async () => {
      asked.push(name)
      return { value: null, error: null, asOf: 0 }
    }
    const inner = {
      vehicleFacet: ask('vehicleFacet'),
      vehicleItems: ask('vehicleItems'),
      fitments: ask('fitments'),
      references: ask('references'),
      productsByNumber: ask('productsByNumber'),
      mirror: {
        state: 'ready',
        async search(request: Parameters<BackOffice['mirror']['search']>[0]) {
          const { skus, total } = mirror.find(request)
          const value = { skus, total, newest: 0, has_more: false, facets: {}, corrected: null, closest: null }
          return { value, error: null, asOf: AT + 5 }
        },
      },
    } as unknown as BackOffice
    const part = (name: string) => (filled.has(name) ? { asOf: AT, error: staleness } : null)
    return withVehicleMirror(inner, { part, read: (read) => read(readers) }, { source: 'fitment', hasFormerIds })
  }
  const scopeOf = (faults: RequestedFaults = {}) =>
    createRequestScope({ requestId: 'test', faults }, { totalMs: 60_000, reserveMs: 0 })
  const page = { limit: 10, offset: 0 }

  it('lists the parts of a vehicle in the order and with the total of lists', async () => {
    const scope = scopeOf()
    const { value, error, asOf } = await connect().vehicleItems(7, page, scope)
    expect(value).to.deep.equal({
      skus: ['B', 'A'],
      total: 2,
      newest: 0,
      has_more: false,
      vehicle: corolla,
      fitments: [
        { ...NO_DETAILS, universal: true },
        { ...NO_DETAILS, positions: ['FRONT'], universal: false },
      ],
    })
    expect([error, asOf, asked]).to.deep.equal([null, AT, []])
    expect([...scope.tags]).to.deep.equal([''])
  })

  it('answers each read without a call to a system', async () => {
    const backOffice = connect()
    const facet = await backOffice.vehicleFacet({ facet: 'year' }, scopeOf())
    expect(facet.value).to.deep.equal([{ value: '2010', label: '2010', count: 1 }])
    const fitments = await backOffice.fitments('A', page, scopeOf())
    expect(fitments.value!.fitments).to.deep.equal([{ ...corolla, ...NO_DETAILS, positions: ['FRONT'] }])
    const scope = scopeOf()
    const references = await backOffice.references('A', null, scope)!
    expect(references.value!.related).to.deep.equal([{ sku: 'B', relation: 'OEM' }])
    expect([...scope.tags]).to.have.members(['A', 'B', REFERENCES_TAG])
    expect(asked).to.deep.equal([])
  })

  it("finds a customer's own number for that customer alone", async () => {
    const backOffice = connect()
    const find = async (customerId: string | null) => ({
      lookup: (await backOffice.productsByNumber('MY1', customerId, scopeOf())).value!.map(({ sku }) => sku),
      detail: (await backOffice.references('A', customerId, scopeOf())!).value!.references.map(({ number }) => number),
      search: mirror.find({ q: 'my-1', customerId }).skus,
    })
    expect(await find('C-1')).to.deep.equal({ lookup: ['A'], detail: ['X-1', 'MY-1'], search: ['A'] })
    for (const other of [null, 'C-2'])
      expect(await find(other)).to.deep.equal({ lookup: [], detail: ['X-1'], search: [] })
  })

  it('asks the source while a part is being filled, and for a read that fails by request', async () => {
    const call = async (faults: RequestedFaults) => {
      const backOffice = connect()
      await backOffice.vehicleFacet({ facet: 'year' }, scopeOf(faults))
      await backOffice.vehicleItems(7, page, scopeOf(faults))
      await backOffice.fitments('A', page, scopeOf(faults))
      await backOffice.references('A', null, scopeOf(faults))
      await backOffice.productsByNumber('X1', null, scopeOf(faults))
      return asked.splice(0)
    }
    const vehicles = ['vehicleFacet', 'vehicleItems', 'fitments']
    const numbers = ['references', 'productsByNumber']
    expect(await call({})).to.deep.equal([])
    expect(await call({ fitment: 'timeout' })).to.deep.equal(vehicles)
    expect(await call({ inventory: 'timeout' })).to.deep.equal(vehicles)
    expect(await call({ references: 'timeout' })).to.deep.equal(numbers)
    filled.delete('vehicles')
    expect(await call({})).to.deep.equal(vehicles)
    filled.delete('references')
    expect(await call({})).to.deep.equal([...vehicles, ...numbers])
  })

  it('says how old a stale value is, and that what is not there is absent', async () => {
    staleness = new UpstreamError('timeout', 'old')
    const backOffice = connect()
    for (const read of [
      backOffice.vehicleFacet({ facet: 'year' }, scopeOf()),
      backOffice.vehicleItems(7, page, scopeOf()),
      backOffice.fitments('A', page, scopeOf()),
      backOffice.references('A', null, scopeOf())!,
    ]) {
      const { value, error, asOf } = await read
      expect([value !== null, error?.failure, asOf]).to.deep.equal([true, 'timeout', AT])
    }
    const { value, error } = await backOffice.vehicleItems(8, page, scopeOf())
    expect([value, error, asked]).to.deep.equal([null, null, []])
  })

  it('asks an import for a vehicle by an id that it had before', async () => {
    await connect(true).vehicleItems(8, page, scopeOf())
    expect(asked).to.deep.equal(['vehicleItems'])
  })
})
