import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import {
  type BatchOptions,
  type BatchResult,
  createRequestBatcher,
  type Waiter,
} from '../../src/upstream/request-batcher.ts'
import { untilTrue } from '../support/scripted-upstream.ts'

interface Asked {
  group: string
  ids: string[]
  abandoned: boolean
  resolve(values: Map<string, string>): void
  reject(error: unknown): void
}

function airport(options: Partial<BatchOptions<string>> = {}) {
  const asked: Asked[] = []
  const flights = createRequestBatcher<string, string>(
    { windowMs: 0, maxKeys: 100, idOf: (id) => id, ...options },
    (group, ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      const flight: Asked = { group, ids, abandoned: false, resolve, reject }
      asked.push(flight)
      const abandon = () => {
        flight.abandoned = true
        reject(new UpstreamError('aborted', 'left'))
      }
      return { answer: promise, abandon, calls: [] }
    },
  )
  return { asked, flights }
}

function passenger(): Waiter<string> & { landings: [string, BatchResult<string>][] } {
  const landings: [string, BatchResult<string>][] = []
  return { landings, resolve: (id, landing) => void landings.push([id, landing]) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const landed = (id: string, value: string | null) => [id, { value, error: null, calls: [] }]

describe('the request batcher', () => {
  it('asks once for 500 who want the same, and tells them all', async () => {
    const { asked, flights } = airport({ windowMs: 1 })
    const all = Array.from({ length: 500 }, passenger)
    for (const one of all) flights.join('', 'A', one, { requestId: 'r' })
    await untilTrue(() => asked.length > 0)
    for (const one of all.slice(0, 10)) flights.join('', 'A', one, { requestId: 'r' })
    asked[0]!.resolve(new Map([['A', 'a']]))
    await settled()
    expect(asked).to.have.length(1)
    for (const { landings } of all) expect(landings).to.deep.equal([landed('A', 'a')])
  })

  it('gathers those of one group, a call for each group', async () => {
    const { asked, flights } = airport({ windowMs: 1 })
    for (const [group, id] of [
      ['', 'A'],
      ['C-1', 'A'],
      ['', 'B'],
      ['C-2', 'A'],
    ] as const)
      flights.join(group, id, passenger(), { requestId: 'r' })
    await untilTrue(() => asked.length === 3)
    expect(asked.map(({ group, ids }) => [group, ids])).to.deep.equal([
      ['', ['A', 'B']],
      ['C-1', ['A']],
      ['C-2', ['A']],
    ])
  })

  it('never puts more into a call than the system takes, whoever left before it went', async () => {
    const { asked, flights } = airport({ windowMs: 1, maxKeys: 3, weightOf: (id) => id.slice(1) })
    const leaver = passenger()
    for (const id of ['pA', 'pB', 'pC']) flights.join('', id, leaver, { requestId: 'r' })
    for (const id of ['sA', 'sB', 'sC']) flights.join('', id, passenger(), { requestId: 'r' })
    for (const id of ['pA', 'pB', 'pC']) flights.leave('', id, leaver)
    for (const id of ['pD', 'pE', 'pF', 'pG']) flights.join('', id, passenger(), { requestId: 'r' })
    await untilTrue(() => asked.flatMap(({ ids }) => ids).length === 7)
    for (const { ids } of asked) expect(new Set(ids.map((id) => id.slice(1))).size).to.be.at.most(3)
    expect(asked.length).to.equal(3)
  })

  it('lets one leave without the others noticing', async () => {
    const { asked, flights } = airport()
    const [leaver, stayer] = [passenger(), passenger()]
    flights.join('', 'A', leaver, { requestId: 'r' })
    flights.join('', 'A', stayer, { requestId: 'r' })
    await settled()
    flights.leave('', 'A', leaver)
    flights.leave('', 'A', leaver)
    expect(asked[0]!.abandoned).to.equal(false)
    asked[0]!.resolve(new Map([['A', 'a']]))
    await settled()
    expect([leaver.landings, stayer.landings]).to.deep.equal([[], [landed('A', 'a')]])
  })

  it('gives the question up when the last has left, and asks anew for who comes then', async () => {
    const { asked, flights } = airport()
    const [one, two, newcomer] = [passenger(), passenger(), passenger()]
    flights.join('', 'A', one, { requestId: 'r' })
    flights.join('', 'B', two, { requestId: 'r' })
    await settled()
    flights.leave('', 'A', one)
    expect(asked[0]!.abandoned).to.equal(false)
    flights.leave('', 'B', two)
    expect(asked[0]!.abandoned).to.equal(true)
    flights.join('', 'A', newcomer, { requestId: 'r' })
    await settled()
    asked[1]!.resolve(new Map([['A', 'new']]))
    await settled()
    expect([newcomer.landings, one.landings]).to.deep.equal([[landed('A', 'new')], []])
  })

  it('does not mix a newcomer into what an abandoned question still says', async () => {
    const { asked, flights } = airport()
    const [leaver, stayer, newcomer] = [passenger(), passenger(), passenger()]
    flights.join('', 'A', leaver, { requestId: 'r' })
    flights.join('', 'B', stayer, { requestId: 'r' })
    await settled()
    flights.leave('', 'A', leaver)
    flights.join('', 'A', newcomer, { requestId: 'r' })
    await settled()
    asked[0]!.resolve(
      new Map([
        ['A', 'old'],
        ['B', 'b'],
      ]),
    )
    await settled()
    expect([newcomer.landings, stayer.landings]).to.deep.equal([[], [landed('B', 'b')]])
    flights.join('', 'A', passenger(), { requestId: 'r' })
    await settled()
    expect(asked.length, 'and the second question is still joined').to.equal(2)
    asked[1]!.resolve(new Map([['A', 'new']]))
    await settled()
    expect(newcomer.landings).to.deep.equal([landed('A', 'new')])
  })

  it('asks nothing when all left before it went', async () => {
    const { asked, flights } = airport({ windowMs: 1 })
    const [leaver, late] = [passenger(), passenger()]
    flights.join('', 'A', leaver, { requestId: 'r' })
    flights.leave('', 'A', leaver)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(asked).to.have.length(0)
    flights.join('', 'B', late, { requestId: 'r' })
    await untilTrue(() => asked.length === 1)
    expect(asked[0]!.ids).to.deep.equal(['B'])
  })

  it('never hands a settled answer or failure to who comes after', async () => {
    const { asked, flights } = airport()
    const [first, second, third] = [passenger(), passenger(), passenger()]
    flights.join('', 'A', first, { requestId: 'r' })
    await settled()
    asked[0]!.reject(new UpstreamError('error', 'no'))
    await settled()
    flights.join('', 'A', second, { requestId: 'r' })
    await settled()
    asked[1]!.resolve(new Map())
    await settled()
    flights.join('', 'A', third, { requestId: 'r' })
    await settled()
    expect(asked).to.have.length(3)
    expect(first.landings[0]![1].error!.failure).to.equal('error')
    expect(second.landings).to.deep.equal([landed('A', null)])
  })

  it('goes on for a refresh behind an answer when everybody has left', async () => {
    const { asked, flights } = airport()
    const leaver = passenger()
    flights.join('', 'A', null, { requestId: 'r' })
    flights.join('', 'A', leaver, { requestId: 'r' })
    await settled()
    flights.leave('', 'A', leaver)
    expect(asked[0]!.abandoned).to.equal(false)
    flights.join('', 'A', null, { requestId: 'r' })
    await settled()
    expect(asked).to.have.length(1)
  })

  it('tells an adapter that broke as a failure of its system', async () => {
    const { asked, flights } = airport()
    const one = passenger()
    flights.join('', 'A', one, { requestId: 'r' })
    await settled()
    asked[0]!.reject('odd')
    await settled()
    expect(one.landings[0]![1].error).to.include({ failure: 'error', message: 'odd' })
  })
})
