import { expect } from 'chai'
import { createFairCache } from '../../../src/cache/fair-cache.ts'
import { createInvalidations, REFERENCES_TAG } from '../../../src/cache/invalidations.ts'
import type { ReferencePort, SkuReferences } from '../../../src/ports/reference.ts'
import { createStoreReadRunner } from '../../../src/upstream/guard/store-read-runner.ts'
import type { CachedValue } from '../../../src/upstream/read-stack/value-cache.ts'
import { createReferenceReader } from '../../../src/upstream/readers/reference-reader.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
import { settled } from '../read-stack/cached-loader-setup.ts'

const HOUR_MS = 3_600_000
const NOTHING: SkuReferences = { references: [], supersedes: [], superseded_by: null, related: [] }

/** A reader over a port that the test steers, on a clock that the test moves. */
function createSetup() {
  let now = 1_000_000_000
  const calls: string[] = []
  const state = { importId: 0, isDown: false, hung: null as PromiseWithResolvers<void> | null }
  const invalidations = createInvalidations()
  const read = async <V>(call: string, value: V): Promise<V> => {
    calls.push(call)
    await state.hung?.promise
    if (state.isDown) throw new Error('the disk is dead')
    return value
  }
  const port: ReferencePort = {
    currentImport: () => read('current', state.importId),
    ofSku: (importId, sku, customer) =>
      read(`${importId} ${sku} ${customer}`, { ...NOTHING, supersedes: [`${importId} ${sku} ${customer}`] }),
    byNumber: (importId, number, customer) => read(`${importId} ${number} ${customer}`, []),
  }
  const reader = createReferenceReader({
    tenantKey: 'acme/live',
    cache: createFairCache<CachedValue>(1_000_000),
    invalidations,
    now: () => now,
    references: {
      port,
      runner: createStoreReadRunner({ tenantKey: 'acme/live', source: 'references', timeoutMs: 9_999 }),
    },
  })
  const scope = () => createRequestScope({ requestId: 'r' }, { totalMs: 60_000, reserveMs: 0 }, () => now)
  return {
    calls,
    state,
    /** What a page shows: nothing, if the reader knows that there is nothing. */
    read: async (sku: string, customer: string | null = null) =>
      (await reader.references(sku, customer, scope())) ?? { value: NOTHING, error: null },
    importFile(importId: number) {
      state.importId = importId
      invalidations.invalidate([REFERENCES_TAG])
      reader.detachInFlight()
    },
    pass(ms: number) {
      now += ms
    },
  }
}

describe('the reader of references', () => {
  it('reads the store once, however many products are shown, while nothing is imported', async () => {
    const { calls, read } = createSetup()
    for (let at = 0; at < 100; at++) expect((await read(`SKU-${at}`)).value).to.deep.equal(NOTHING)
    expect(calls).to.deep.equal(['current'])
  })

  it('answers from memory for a day when the store is down, and is whole if nothing was imported', async () => {
    const { calls, state, read, pass } = createSetup()
    await read('A')
    state.isDown = true
    for (let hour = 0; hour < 23; hour++) {
      pass(HOUR_MS)
      const { value, error } = await read(`SKU-${hour}`)
      expect([value, error]).to.deep.equal([NOTHING, null])
    }
    expect(new Set(calls)).to.deep.equal(new Set(['current']))
  })

  it('never waits for a store that hangs, if it has an answer', async () => {
    const { state, read, importFile, pass } = createSetup()
    for (const importId of [0, 7]) {
      importFile(importId)
      await read('A')
      state.hung = Promise.withResolvers()
      pass(2 * HOUR_MS)
      const first = await Promise.race([read('A').then(() => 'answer'), settled().then(() => 'nothing')])
      state.hung.resolve()
      state.hung = null
      expect(first).to.equal('answer')
    }
  })

  it('reads each product once per import, and shows nothing of an earlier one', async () => {
    const { calls, read, importFile } = createSetup()
    importFile(7)
    expect((await read('A')).value!.supersedes).to.deep.equal(['7 A null'])
    await read('A')
    importFile(8)
    expect((await read('A')).value!.supersedes).to.deep.equal(['8 A null'])
    expect(calls).to.deep.equal(['current', '7 A null', 'current', '8 A null'])
  })

  it('shares nothing between customers', async () => {
    const { read, importFile } = createSetup()
    importFile(7)
    const values = await Promise.all([read('A', 'C-1'), read('A'), read('A', 'C-2'), read('A', 'C-1')])
    expect(values.map(({ value }) => value!.supersedes[0])).to.deep.equal(['7 A C-1', '7 A null', '7 A C-2', '7 A C-1'])
  })

  it('serves what it has when the store is down, and says what it does not have', async () => {
    const { state, read, importFile, pass } = createSetup()
    importFile(7)
    await read('A')
    state.isDown = true
    pass(2 * HOUR_MS)
    expect((await read('A')).value!.supersedes).to.deep.equal(['7 A null'])
    const { value, error } = await read('B')
    expect([value, error?.failure, error?.system]).to.deep.equal([null, 'unavailable', 'references'])
  })
})
