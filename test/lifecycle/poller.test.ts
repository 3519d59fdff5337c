import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { type PollerParts, startPoller } from '../../src/lifecycle/poller.ts'

describe('a poller', () => {
  let rounds: PromiseWithResolvers<void>[]
  let errors: unknown[]
  const start = (options: Partial<PollerParts> = {}) =>
    startPoller({
      round() {
        rounds.push(Promise.withResolvers<void>())
        return rounds.at(-1)!.promise
      },
      intervalMs: 1_000,
      onError: (error) => void errors.push(error),
      ...options,
    })
  const tickClock = async (ms: number) => {
    mock.timers.tick(ms)
    await nextTurn()
  }

  beforeEach(() => {
    rounds = []
    errors = []
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  })
  afterEach(() => mock.timers.reset())

  it('runs a round every interval, and at once when it is told to', async () => {
    await using _later = start()
    expect(rounds).to.have.lengthOf(0)
    await tickClock(1_000)
    expect(rounds).to.have.lengthOf(1)
    rounds[0]!.resolve()
    await using _atOnce = start({ startsAtOnce: true })
    expect(rounds).to.have.lengthOf(2)
    rounds[1]!.resolve()
  })

  it('never runs two rounds at once', async () => {
    await using poller = start()
    const first = poller.poll()
    await tickClock(5_000)
    const second = poller.poll()
    expect(rounds).to.have.lengthOf(1)
    rounds[0]!.resolve()
    await Promise.all([first, second])
    expect(poller.running).to.equal(undefined)
    await tickClock(1_000)
    expect(rounds).to.have.lengthOf(2)
    rounds[1]!.resolve()
  })

  it('runs rounds only when called where it has no interval', async () => {
    await using poller = start({ intervalMs: null })
    await tickClock(60_000)
    expect(rounds).to.have.lengthOf(0)
    poller.tick()
    expect(rounds).to.have.lengthOf(1)
    rounds[0]!.resolve()
  })

  it('reports the error of a timed round, and throws that of poll()', async () => {
    await using poller = start()
    await tickClock(1_000)
    rounds[0]!.reject(new Error('timed'))
    await nextTurn()
    const polled = poller.poll().catch((error: Error) => error.message)
    rounds[1]!.reject(new Error('called'))
    expect(await polled).to.equal('called')
    expect(errors.map(String)).to.deep.equal(['Error: timed'])
  })

  it('pauses after a timed round that failed, except for poll()', async () => {
    await using poller = start({ pauseAfterErrorMs: 60_000 })
    await tickClock(1_000)
    rounds[0]!.reject(new Error('unreachable'))
    await nextTurn()
    await tickClock(10_000)
    expect(rounds).to.have.lengthOf(1)
    const polled = poller.poll()
    rounds[1]!.resolve()
    await polled
  })

  it('waits for the round under way when it is disposed, and runs no more', async () => {
    const poller = start()
    await tickClock(1_000)
    let isDisposed = false
    const disposal = poller[Symbol.asyncDispose]().then(() => {
      isDisposed = true
    })
    expect(poller.isStopped).to.equal(true)
    await tickClock(10_000)
    expect(isDisposed).to.equal(false)
    rounds[0]!.resolve()
    await disposal
    await tickClock(10_000)
    await poller.poll()
    expect(rounds).to.have.lengthOf(1)
  })

  it('waits no longer than its limit when it is disposed', async () => {
    const poller = start({ disposeTimeoutMs: 2_000 })
    await tickClock(1_000)
    const disposal = poller[Symbol.asyncDispose]()
    await tickClock(2_000)
    await disposal
  })
})
