import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import type { UpstreamError } from '../../../src/errors.ts'
import { createCallPace } from '../../../src/upstream/client/call-pace.ts'
import { createTokenBucket } from '../../../src/upstream/client/token-bucket.ts'

describe('the pace of a system’s calls', () => {
  /** A pace with a clock of its own. `advance` runs what is due, in steps of a millisecond. */
  function createPace(perMinute: number) {
    const clock = { ms: 0 }
    let timer: { at: number; run(): void } | null = null
    const pace = createCallPace({
      perMinute,
      bucket: createTokenBucket(perMinute, () => clock.ms),
      now: () => clock.ms,
      schedule(ms, run) {
        const mine = { at: clock.ms + ms, run }
        timer = mine
        return () => {
          if (timer === mine) timer = null
        }
      },
    })
    const admitted: { name: string; at: number }[] = []
    const refused: { name: string; at: number; error: UpstreamError }[] = []

    function call(name: string, timeoutMs: number, signal = new AbortController().signal): void {
      const isBackground = name === 'feed'
      const startedAt = clock.ms
      pace.admit({ signal, requestId: name, isBackground, timeoutMs: () => timeoutMs - (clock.ms - startedAt) }).then(
        () => admitted.push({ name, at: clock.ms }),
        (error) => refused.push({ name, at: clock.ms, error }),
      )
    }
    async function advance(ms: number): Promise<void> {
      const end = clock.ms + ms
      await nextTurn()
      while (timer && timer.at <= end) {
        clock.ms = timer.at
        const { run } = timer
        timer = null
        run()
        await nextTurn()
      }
      clock.ms = end
    }
    return { call, advance, admitted, refused, clock }
  }

  it('admits as many calls as the system allows in any minute, a twentieth of them at once', async () => {
    const { call, advance, admitted } = createPace(200)
    for (let second = 0; second < 300; second++) {
      for (let i = 0; i < 10; i++) call('page', 700)
      await advance(1_000)
    }
    expect(admitted.filter(({ at }) => at === 0)).to.have.length(10)
    const inMinuteFrom = (from: number) => admitted.filter(({ at }) => at >= from && at < from + 60_000).length
    const counts = admitted.map(({ at }) => inMinuteFrom(at))
    expect(Math.max(...counts)).to.be.within(190, 200)
    expect(inMinuteFrom(120_000)).to.be.within(187, 191)
  })

  it('refuses a call that would have less than half of its time left, without blaming the system', async () => {
    const { call, advance, admitted, refused } = createPace(20)
    call('first', 700)
    call('second', 700)
    await advance(400)
    expect(admitted.map(({ name }) => name)).to.deep.equal(['first'])
    expect(refused.map(({ name, at }) => [name, at])).to.deep.equal([['second', 351]])
    const { failure, summary, retryAfterMs } = refused[0]!.error
    expect({ failure, summary, retryAfterMs }).to.deep.equal({
      failure: 'overloaded',
      summary: 'all 20 calls of this minute are used up: no call was made',
      retryAfterMs: 1_000,
    })
  })

  it('admits a checkout in time, however many pages are read, and a change feed too', async () => {
    const { call, advance, admitted, refused } = createPace(600)
    for (let i = 0; i < 30; i++) call('burst', 700)
    call('checkout', 5_000)
    call('feed', 30_000)
    for (let step = 0; step < 200; step++) {
      for (let i = 0; i < 5; i++) call('page', 700)
      await advance(100)
    }
    const timeOf = (wanted: string) => admitted.find(({ name }) => name === wanted)!.at
    expect(timeOf('checkout')).to.be.below(500)
    expect(timeOf('feed')).to.be.below(1_200)
    expect(refused.every(({ name }) => name === 'page')).to.equal(true)
  })

  it('gives the place of a caller who left to the next one', async () => {
    const { call, advance, admitted, refused } = createPace(60)
    const caller = new AbortController()
    for (const name of ['1', '2', '3']) call(name, 5_000)
    call('left', 4_000, caller.signal)
    call('stays', 5_000)
    caller.abort()
    await advance(1_100)
    expect(refused.map(({ name }) => name)).to.deep.equal(['left'])
    expect(admitted.map(({ name }) => name)).to.deep.equal(['1', '2', '3', 'stays'])
  })
})
