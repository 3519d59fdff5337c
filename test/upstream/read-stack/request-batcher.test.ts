import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import {
  type BatchOptions,
  type BatchResult,
  createRequestBatcher,
  type Waiter,
} from '../../../src/upstream/read-stack/request-batcher.ts'
import { untilTrue } from '../../support/until.ts'

interface Asked {
  group: string
  ids: string[]
  abandoned: boolean
  resolve(values: Map<string, string>): void
  reject(error: unknown): void
}

function createTestBatcher(options: Partial<BatchOptions<string>> = {}) {
  const asked: Asked[] = []
  const batcher = createRequestBatcher<string, string>(
    { windowMs: 0, maxKeys: 100, idOf: (id) => id, ...options },
    (group, ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      const batch: Asked = { group, ids, abandoned: false, resolve, reject }
      asked.push(batch)
      const abandon = () => {
        batch.abandoned = true
        reject(new UpstreamError('aborted', 'left'))
      }
      return { answer: promise, abandon, calls: [] }
    },
  )
  return { asked, batcher }
}

function createWaiter(): Waiter<string> & { results: [string, BatchResult<string>][] } {
  const results: [string, BatchResult<string>][] = []
  return { results, resolve: (id, result) => void results.push([id, result]) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const toResult = (id: string, value: string | null) => [id, { value, error: null, calls: [] }]

describe('the request batcher', () => {
  it('makes one call for 500 waiters of one key', async () => {
    const { asked, batcher } = createTestBatcher({ windowMs: 1 })
    const all = Array.from({ length: 500 }, createWaiter)
    for (const one of all) batcher.join('', 'A', one, { requestId: 'r' })
    await untilTrue(() => asked.length > 0)
    for (const one of all.slice(0, 10)) batcher.join('', 'A', one, { requestId: 'r' })
    asked[0]!.resolve(new Map([['A', 'a']]))
    await settled()
    expect(asked).to.have.length(1)
    for (const { results } of all) expect(results).to.deep.equal([toResult('A', 'a')])
  })

  it('batches keys of one group, one call per group', async () => {
    const { asked, batcher } = createTestBatcher({ windowMs: 1 })
    for (const [group, id] of [
      ['', 'A'],
      ['C-1', 'A'],
      ['', 'B'],
      ['C-2', 'A'],
    ] as const)
      batcher.join(group, id, createWaiter(), { requestId: 'r' })
    await untilTrue(() => asked.length === 3)
    expect(asked.map(({ group, ids }) => [group, ids])).to.deep.equal([
      ['', ['A', 'B']],
      ['C-1', ['A']],
      ['C-2', ['A']],
    ])
  })

  it('never exceeds the system’s page size, whoever left before the call', async () => {
    const { asked, batcher } = createTestBatcher({ windowMs: 1, maxKeys: 3, weightOf: (id) => id.slice(1) })
    const leaver = createWaiter()
    for (const id of ['pA', 'pB', 'pC']) batcher.join('', id, leaver, { requestId: 'r' })
    for (const id of ['sA', 'sB', 'sC']) batcher.join('', id, createWaiter(), { requestId: 'r' })
    for (const id of ['pA', 'pB', 'pC']) batcher.leave('', id, leaver)
    for (const id of ['pD', 'pE', 'pF', 'pG']) batcher.join('', id, createWaiter(), { requestId: 'r' })
    await untilTrue(() => asked.flatMap(({ ids }) => ids).length === 7)
    for (const { ids } of asked) expect(new Set(ids.map((id) => id.slice(1))).size).to.be.at.most(3)
    expect(asked.length).to.equal(3)
  })

  it('lets one waiter leave without affecting others', async () => {
    const { asked, batcher } = createTestBatcher()
    const [leaver, stayer] = [createWaiter(), createWaiter()]
    batcher.join('', 'A', leaver, { requestId: 'r' })
    batcher.join('', 'A', stayer, { requestId: 'r' })
    await settled()
    batcher.leave('', 'A', leaver)
    batcher.leave('', 'A', leaver)
    expect(asked[0]!.abandoned).to.equal(false)
    asked[0]!.resolve(new Map([['A', 'a']]))
    await settled()
    expect([leaver.results, stayer.results]).to.deep.equal([[], [toResult('A', 'a')]])
  })

  it('abandons the call when the last waiter has left, and makes a new one for later waiters', async () => {
    const { asked, batcher } = createTestBatcher()
    const [one, two, newcomer] = [createWaiter(), createWaiter(), createWaiter()]
    batcher.join('', 'A', one, { requestId: 'r' })
    batcher.join('', 'B', two, { requestId: 'r' })
    await settled()
    batcher.leave('', 'A', one)
    expect(asked[0]!.abandoned).to.equal(false)
    batcher.leave('', 'B', two)
    expect(asked[0]!.abandoned).to.equal(true)
    batcher.join('', 'A', newcomer, { requestId: 'r' })
    await settled()
    asked[1]!.resolve(new Map([['A', 'new']]))
    await settled()
    expect([newcomer.results, one.results]).to.deep.equal([[toResult('A', 'new')], []])
  })

  it('does not serve a later waiter from an abandoned call', async () => {
    const { asked, batcher } = createTestBatcher()
    const [leaver, stayer, newcomer] = [createWaiter(), createWaiter(), createWaiter()]
    batcher.join('', 'A', leaver, { requestId: 'r' })
    batcher.join('', 'B', stayer, { requestId: 'r' })
    await settled()
    batcher.leave('', 'A', leaver)
    batcher.join('', 'A', newcomer, { requestId: 'r' })
    await settled()
    asked[0]!.resolve(
      new Map([
        ['A', 'old'],
        ['B', 'b'],
      ]),
    )
    await settled()
    expect([newcomer.results, stayer.results]).to.deep.equal([[], [toResult('B', 'b')]])
    batcher.join('', 'A', createWaiter(), { requestId: 'r' })
    await settled()
    expect(asked.length, 'and the second question is still joined').to.equal(2)
    asked[1]!.resolve(new Map([['A', 'new']]))
    await settled()
    expect(newcomer.results).to.deep.equal([toResult('A', 'new')])
  })

  it('makes no call when all waiters left before it', async () => {
    const { asked, batcher } = createTestBatcher({ windowMs: 1 })
    const [leaver, late] = [createWaiter(), createWaiter()]
    batcher.join('', 'A', leaver, { requestId: 'r' })
    batcher.leave('', 'A', leaver)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(asked).to.have.length(0)
    batcher.join('', 'B', late, { requestId: 'r' })
    await untilTrue(() => asked.length === 1)
    expect(asked[0]!.ids).to.deep.equal(['B'])
  })

  it('never shares a result that has arrived with later waiters', async () => {
    const { asked, batcher } = createTestBatcher()
    const [first, second, third] = [createWaiter(), createWaiter(), createWaiter()]
    batcher.join('', 'A', first, { requestId: 'r' })
    await settled()
    asked[0]!.reject(new UpstreamError('error', 'no'))
    await settled()
    batcher.join('', 'A', second, { requestId: 'r' })
    await settled()
    asked[1]!.resolve(new Map())
    await settled()
    batcher.join('', 'A', third, { requestId: 'r' })
    await settled()
    expect(asked).to.have.length(3)
    expect(first.results[0]![1].error!.failure).to.equal('error')
    expect(second.results).to.deep.equal([toResult('A', null)])
  })

  it('goes on with a background refresh when everybody has left', async () => {
    const { asked, batcher } = createTestBatcher()
    const leaver = createWaiter()
    batcher.join('', 'A', null, { requestId: 'r' })
    batcher.join('', 'A', leaver, { requestId: 'r' })
    await settled()
    batcher.leave('', 'A', leaver)
    expect(asked[0]!.abandoned).to.equal(false)
    batcher.join('', 'A', null, { requestId: 'r' })
    await settled()
    expect(asked).to.have.length(1)
  })

  it('reports a broken adapter as a failure of its system', async () => {
    const { asked, batcher } = createTestBatcher()
    const one = createWaiter()
    batcher.join('', 'A', one, { requestId: 'r' })
    await settled()
    asked[0]!.reject('odd')
    await settled()
    expect(one.results[0]![1].error).to.include({ failure: 'error', message: 'odd' })
  })
})
