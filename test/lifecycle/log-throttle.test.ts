import { expect } from 'chai'
import { throttleLog } from '../../src/lifecycle/log-throttle.ts'

describe('a throttled log', () => {
  it('logs at once, then at most once a minute, and at once again after a reset', () => {
    let now = 1_000_000
    const lines: string[] = []
    const log = throttleLog((line: string) => void lines.push(line), { now: () => now })
    log('first')
    now += 59_999
    log('dropped')
    now += 1
    log('a minute later')
    log.reset()
    log('after a reset')
    expect(lines).to.deep.equal(['first', 'a minute later', 'after a reset'])
  })

  it('takes another interval', () => {
    let now = 0
    let count = 0
    const log = throttleLog(() => void count++, { now: () => now, intervalMs: 10 })
    for (; now < 100; now += 1) log()
    expect(count).to.equal(10)
  })
})
