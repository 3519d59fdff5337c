import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import type { PageRange } from '../../../src/ports/vehicle.ts'
import { findFitments } from '../../../src/routes/catalog/read-fitments.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'
import { noMirror } from '../../../src/upstream/mirror/mirror-reader.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'

const requestScope = createRequestScope({ requestId: 'r' }, { totalMs: 60_000, reserveMs: 0 })
const vehicle = { vehicle_id: 7 }
const skuOf = (index: number) => `S-${index}`

/** A vehicle of 1,300 products, and no mirror. The test responds to the calls. */
function createVehicle({ total = 1_300 as number | null } = {}) {
  const asked: number[] = []
  const waiting: (() => void)[] = []
  const failures = new Map<number, UpstreamError>()
  async function vehicleItems(_: number, { limit, offset }: PageRange) {
    asked.push(offset)
    await new Promise<void>((resolve) => waiting.push(resolve))
    const skus = Array.from({ length: Math.max(0, Math.min(limit, 1_300 - offset)) }, (_, at) => skuOf(offset + at))
    const fitments = skus.map((sku) => ({ notes: sku }))
    const error = failures.get(offset) ?? null
    const value = { vehicle, skus, fitments, newest: 0, total, has_more: offset + limit < 1_300 }
    return { value: error ? null : value, error, asOf: offset }
  }
  const backOffice = { vehicleItems, mirror: noMirror } as unknown as BackOffice
  return {
    asked,
    failures,
    find: (...indexes: number[]) => findFitments(7, { skus: indexes.map(skuOf), backOffice, requestScope }),
    /** Responds to all calls of this moment. */
    async respond() {
      for (const resolve of waiting.splice(0)) resolve()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('the fitment of products, without a mirror', () => {
  it('needs one page of the vehicle if that has all of them', async () => {
    const { find, respond, asked } = createVehicle()
    const found = find(3, 199)
    await respond()
    const { value, error } = await found
    expect([value?.fitments, error]).to.deep.equal([[{ notes: 'S-3' }, { notes: 'S-199' }], null])
    expect(asked).to.deep.equal([0])
  })

  for (const total of [1_300, null])
    it(`is read from all further pages at once, up to 1,000 products, of a total of ${total}`, async () => {
      const { find, respond, asked } = createVehicle({ total })
      const found = find(450, 1_250, 0)
      await respond()
      expect(asked).to.deep.equal([0, 200, 400, 600, 800])
      await respond()
      expect((await found).value).to.deep.equal({ vehicle, fitments: [{ notes: 'S-450' }, null, { notes: 'S-0' }] })
    })

  it('is not known if a page cannot be read', async () => {
    const { find, respond, failures } = createVehicle()
    const error = new UpstreamError('timeout', 'too late', { system: 'inventory' })
    failures.set(600, error)
    const found = find(300)
    await respond()
    await respond()
    expect(await found).to.deep.equal({ value: null, error, asOf: 600 })
  })
})
