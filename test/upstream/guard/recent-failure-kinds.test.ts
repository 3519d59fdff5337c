import { expect } from 'chai'
import { createRecentFailureKinds } from '../../../src/upstream/guard/recent-failure-kinds.ts'

describe('the recent failures of a system', () => {
  it('are counted by kind within a time, the most frequent first', () => {
    let now = 0
    const failures = createRecentFailureKinds(() => now)
    failures.add('HTTP 502')
    now = 10_000
    failures.add('HTTP 502')
    for (let times = 0; times < 3; times++) failures.add('connection refused')
    expect(failures.within(5_000)).to.deep.equal([
      { kind: 'connection refused', count: 3 },
      { kind: 'HTTP 502', count: 1 },
    ])
    expect(failures.within(20_000)).to.deep.include({ kind: 'HTTP 502', count: 2 })
    failures.clear()
    expect(failures.within(20_000)).to.deep.equal([])
  })

  it('are those after the last five seconds without one first', () => {
    let now = 0
    const failures = createRecentFailureKinds(() => now)
    for (; now < 4_000; now += 1_000) failures.add('unreadable response')
    now = 7_999
    failures.add('no response in 650 ms')
    expect(failures.within(30_000).map(({ kind }) => kind)).to.deep.equal([
      'unreadable response',
      'no response in 650 ms',
    ])
    now = 20_000
    failures.add('no response in 700 ms')
    expect(failures.within(30_000)).to.deep.equal([
      { kind: 'no response in 700 ms', count: 1 },
      { kind: 'unreadable response', count: 4, isEarlier: true },
      { kind: 'no response in 650 ms', count: 1, isEarlier: true },
    ])
  })

  it('stay bounded, whatever the kinds', () => {
    let now = 0
    const failures = createRecentFailureKinds(() => now)
    for (; now < 100_000; now += 10) failures.add(`kind ${now}`)
    const kept = failures.within(1_000_000)
    expect(kept).to.have.length(8)
  })
})
