import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import type { PageRange } from '../../../src/ports/vehicle.ts'
import { findFitmentsForVehicle } from '../../../src/routes/catalog/read-fitments-for-vehicle.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'
import { noMirror } from '../../../src/upstream/mirror/mirror-reader.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'

const requestScope = createRequestScope({ requestId: 'r' }, { totalMs: 60_000, reserveMs: 0 })
const vehicle = { vehicle_id: 7 }
const skuOf = (index: number) => `S-${index}`

/** A vehicle of 1,300 products, and no mirror. The test responds to the calls. */
function createVehicle({ size = 1_300, total = size as number | null } = {}) {
  const asked: number[] = []
  const waiting: (() => void)[] = []
  const failures = new Map<number, UpstreamError>()
  const late = new Set<number>()
  async function vehicleItems(_: number, { limit, offset }: PageRange) {
    asked.push(offset)
    if (!late.has(offset)) await new Promise<void>((resolve) => waiting.push(resolve))
    else await new Promise(() => {})
    const skus = Array.from({ length: Math.max(0, Math.min(limit, size - offset)) }, (_, at) => skuOf(offset + at))
    const fitments = skus.map((sku) => ({ notes: sku }))
    const error = failures.get(offset) ?? null
    const value = { vehicle, skus, fitments, newest: 0, total, has_more: offset + limit < size }
    return { value: error ? null : value, error, asOf: offset }
  }
  const backOffice = { vehicleItems, mirror: noMirror } as unknown as BackOffice
  return {
    asked,
    failures,
    /** The pages that are never read. */
    late,
    find: (...indexes: number[]) => findFitmentsForVehicle(7, { skus: indexes.map(skuOf), backOffice, requestScope }),
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

  it('is read from all further pages at once, up to 1,000 products', async () => {
    const { find, respond, asked } = createVehicle()
    const found = find(450, 1_250, 0)
    await respond()
    expect(asked).to.deep.equal([0, 200, 400, 600, 800])
    await respond()
    expect((await found).value).to.deep.equal({ vehicle, fitments: [{ notes: 'S-450' }, null, { notes: 'S-0' }] })
  })

  it('is read from one page after another, to the last one, if their number is not known', async () => {
    for (const [size, index, pages] of [
      [1_300, 1_250, [0, 200, 400, 600, 800]],
      [251, 1_250, [0, 200]],
      [1_300, 250, [0, 200]],
    ] as const) {
      const { find, respond, asked, failures } = createVehicle({ size, total: null })
      failures.set(1_000, new UpstreamError('timeout', 'too late', { system: 'inventory' }))
      const found = find(index, 0)
      for (const _ of pages) await respond()
      const { value, error } = await found
      expect([value?.fitments.at(-1), error], `${size}, ${index}`).to.deep.equal([{ notes: 'S-0' }, null])
      expect(asked).to.deep.equal(pages)
    }
  })

  it('is known although a page that is not needed fails, or is late', async () => {
    const { find, respond, failures, late } = createVehicle()
    failures.set(600, new UpstreamError('timeout', 'too late', { system: 'inventory' }))
    late.add(800)
    const found = find(250)
    await respond()
    await respond()
    expect(await found).to.deep.equal({ value: { vehicle, fitments: [{ notes: 'S-250' }] }, error: null, asOf: 0 })
  })

  it('is not known if a page that may have it cannot be read', async () => {
    const { find, respond, failures } = createVehicle()
    const error = new UpstreamError('timeout', 'too late', { system: 'inventory' })
    failures.set(600, error)
    const found = find(300, 650)
    await respond()
    await respond()
    expect(await found).to.deep.equal({ value: null, error, asOf: 600 })
  })
})
