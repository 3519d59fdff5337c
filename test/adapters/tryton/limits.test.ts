import { mock } from 'node:test'
import { expect } from 'chai'
import { Type } from 'typebox'
import { toSearchDomain } from '../../../adapters/tryton/catalog/search-domain.ts'
import { skuRecordsShape } from '../../../adapters/tryton/catalog/sku-records.ts'
import { runSharedLoad } from '../../../adapters/tryton/client/shared-load.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { recordedLogin } from '../../support/tryton/connect-tryton.ts'

describe('tryton: a search', () => {
  const filters = (q: string) =>
    toSearchDomain({ q, limit: 1, offset: 0 }, { categories: new Map(), tags: null }, recordedLogin)!

  it('asks for ten words at the most, each of 64 characters', () => {
    expect(filters('a '.repeat(5_000))).to.have.length(10)
    const [, [[, , pattern]]] = filters(`${'x'.repeat(63)}🚗🚗`)[0] as [string, [[string, string, string]]]
    expect(pattern).to.equal(`%${'x'.repeat(63)}🚗%`)
  })
})

describe('tryton: shared work', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  for (const [outcome, end] of [
    ['is done', () => Promise.resolve(1)],
    ['has failed', () => Promise.reject(new UpstreamError('error', 'broken'))],
  ] as const) {
    it(`has no timer any longer when it ${outcome}`, async () => {
      let call: Call | undefined
      const work = runSharedLoad('shared', 10_000, (own) => {
        call = own
        return end()
      })
      await work.catch(() => {})
      mock.timers.tick(10_000)
      expect(call!.signal.aborted).to.equal(false)
    })
  }

  it('ends at its limit', () => {
    let call: Call | undefined
    void runSharedLoad('shared', 10_000, (own) => {
      call = own
      return new Promise(() => {})
    })
    mock.timers.tick(9_999)
    expect([call!.signal.aborted, call!.timeoutMs()]).to.deep.equal([false, 1])
    mock.timers.tick(1)
    expect(call!.signal.reason).to.include({ failure: 'timeout' })
  })
})

describe('tryton: records of SKUs', () => {
  const Records = skuRecordsShape(Type.Object({ code: Type.String(), id: Type.Integer() }))

  it('are judged one by one, and none stands in for another of its SKU', () => {
    const rows = [{ code: 'A', id: 1 }, { code: 'B', id: null }, { code: 'B', id: 2 }, { id: 3 }, null]
    expect(Records.parse(rows)).to.deep.equal([{ code: 'A', id: 1 }])
    expect(Records.parse([])).to.deep.equal([])
  })

  it('hold what was read of their templates, where they have nothing of that name themselves', () => {
    const Units = skuRecordsShape(Type.Object({ code: Type.String(), id: Type.Integer(), unit: Type.String() }))
    const row = { code: 'A', id: 1, 'template.': { id: 7, unit: 'u' } }
    expect(Units.parse([row])[0]).to.include({ id: 1, unit: 'u' })
    expect(Units.parse([{ ...row, unit: 'box' }])[0]).to.include({ id: 1, unit: 'box' })
  })

  it('are no answer when none fits, or when they are no list', () => {
    for (const answer of [[{ code: 'A' }], { code: 'A', id: 1 }, null]) {
      expect(() => Records.parse(answer))
        .to.throw(UpstreamError)
        .with.property('failure', 'invalid')
    }
  })
})
