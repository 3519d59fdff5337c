import { expect } from 'chai'
import { createFairLimit } from '../../src/lifecycle/fair-limit.ts'

describe('a fair limit', () => {
  /** Starts tasks that end when the test says so, and records the order in which they started. */
  function createTasks(concurrency: number, maxQueued: number) {
    const limit = createFairLimit({ concurrency, maxQueued })
    const started: string[] = []
    const running: PromiseWithResolvers<void>[] = []
    const done: Promise<void>[] = []
    const start = (group: string, name: string) => {
      const task = () => {
        started.push(name)
        running.push(Promise.withResolvers())
        return running.at(-1)!.promise
      }
      done.push(limit.run(group, task))
    }
    return { limit, started, running, done, start }
  }

  it('lets groups take turns, so that one that fills its queue delays another by one task', async () => {
    const { limit, started, running, done, start } = createTasks(1, 3)
    for (const name of ['a1', 'a2', 'a3', 'a4']) start('a', name)
    expect([limit.isFull('a'), limit.isFull('b')]).to.deep.equal([true, false])
    for (const name of ['b1', 'b2']) start('b', name)
    start('c', 'c1')
    for (let i = 0; i < done.length; i++) {
      expect(running).to.have.length(i + 1)
      running[i]!.resolve()
      await new Promise(setImmediate)
    }
    await Promise.all(done)
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    expect(limit.isFull('a')).to.equal(false)
  })

  it('runs as many tasks as it may at once, and goes on after one that fails', async () => {
    const { limit, started, running, done, start } = createTasks(2, 3)
    for (const name of ['a1', 'a2', 'a3']) start('a', name)
    expect(started).to.deep.equal(['a1', 'a2'])
    running[0]!.reject(new Error('failed'))
    await done[0]!.catch(() => {})
    await new Promise(setImmediate)
    expect(started).to.deep.equal(['a1', 'a2', 'a3'])
    for (const { resolve } of running) resolve()
    await Promise.allSettled(done)
    expect(await limit.run('b', async () => 'free')).to.equal('free')
  })
})
