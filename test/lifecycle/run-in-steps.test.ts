import { expect } from 'chai'
import { runInSteps } from '../../src/lifecycle/run-in-steps.ts'

describe('runInSteps', () => {
  /** Each step takes a time of its own clock, and notes whether others had their turn before it. */
  async function runWith(stepMs: number): Promise<{ result: number; turns: boolean[] }> {
    const turns: boolean[] = []
    let time = 0
    let othersRan = false
    function* count(): Generator<undefined, number> {
      for (let step = 0; step < 4; step += 1) {
        turns.push(othersRan)
        time += stepMs
        yield
      }
      return 4
    }
    setImmediate(() => {
      othersRan = true
    })
    return { result: await runInSteps(count(), () => time), turns }
  }

  it('lets others run once ten milliseconds have passed', async () => {
    expect(await runWith(5)).to.deep.equal({ result: 4, turns: [false, false, true, true] })
  })

  it('does not pause for short steps', async () => {
    expect(await runWith(1)).to.deep.equal({ result: 4, turns: [false, false, false, false] })
  })
})
