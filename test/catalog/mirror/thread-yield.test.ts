import { expect } from 'chai'
import { createThreadYield } from '../../../src/catalog/mirror/threads/thread-yield.ts'

describe('a long task in a background thread', () => {
  it('sleeps for a moment after each half millisecond, and not in between', () => {
    let ms = 0
    const sleeps: number[] = []
    const pause = createThreadYield({
      now: () => ms,
      sleep() {
        sleeps.push(ms)
        ms += 0.1
      },
    })
    for (let step = 0; step < 40; step++) {
      pause()
      ms += 0.125
    }
    const runs = sleeps.slice(1).map((at, index) => at - sleeps[index]! - 0.1)
    expect(sleeps).to.have.lengthOf(10)
    expect(runs.every((run) => Math.abs(run - 0.5) < 1e-9)).to.equal(true)
  })

  it('does sleep', () => {
    const before = performance.now()
    createThreadYield()()
    expect(performance.now()).to.be.greaterThan(before)
  })
})
