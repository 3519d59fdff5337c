import { mock } from 'node:test'
import { expect } from 'chai'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { CallPriority } from '../../../src/upstream/guard/call-priority.ts'
import { createGuard, type Guard, type GuardLimits, guardDefaults } from '../../../src/upstream/guard/guard.ts'
import type { CallTrace } from '../../../src/upstream/request/call-trace.ts'
import { failureKind } from '../../../src/upstream/request/failure-kind.ts'
import { failureOf } from '../../support/failure-of.ts'
import { untilTrue } from '../../support/until.ts'

/** For what is not to run out while the test looks, however busy the machine. */
const LONG_MS = 60_000
const settled = () => new Promise((resolve) => setImmediate(resolve))

const limited = (limits: Partial<GuardLimits> = {}, now = Date.now) =>
  createGuard('pricing', { ...guardDefaults, ...limits }, now)
/** On a slow machine, a few failures in a row would last so long that they alone open the circuit. */
const onStandingClock = () => limited({}, () => 0)

const ask = <T>(guard: Guard, work: (call: Call) => Promise<T>, priority: CallPriority = 'catalog', read = true) =>
  guard.run({ requestId: 'req-1', operation: 'prices', priority, read, work })

const failing = (failure: UpstreamFailure) => () => Promise.reject(new UpstreamError(failure, 'as asked'))

/** Rejects with the reason when it is aborted, as the client does. */
const hanging = (call: Call) =>
  new Promise<never>((_, reject) => {
    call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true })
  })

describe('a guard', () => {
  for (const failure of ['timeout', 'unavailable', 'error', 'invalid'] as const) {
    it(`opens its circuit on ${failure}`, async () => {
      const guard = limited({ openMs: LONG_MS })
      for (let i = 0; i < 10; i++) await failureOf(ask(guard, failing(failure)).answer)
      await untilTrue(() => guard.state === 'open')
      const refused = await failureOf(ask(guard, async () => 1).answer)
      expect(refused.failure).to.equal('circuit_open')
      expect(refused.retryAfterMs).to.be.within(100, LONG_MS)
    })
  }

  for (const failure of ['rejected', 'rate_limited', 'overloaded', 'not_configured', 'aborted'] as const) {
    it(`does not count ${failure}`, async () => {
      const guard = onStandingClock()
      for (let i = 0; i < 100; i++) await failureOf(ask(guard, failing(failure)).answer)
      for (let i = 0; i < 9; i++) await failureOf(ask(guard, failing('error')).answer)
      expect(guard.state).to.equal('closed')
    })
  }

  it('says whether a system that was too slow had begun to respond to the latest request', async () => {
    // A kind has the time in steps of 50 ms, and a timer may be early by one.
    const guard = limited({ timeoutMs: 75 })
    const hangingAfter = (...progress: ('sent' | 'responding')[]) =>
      failureOf(
        ask(guard, (call) => {
          for (const one of progress) call.onExchange?.(one)
          return hanging(call)
        }).answer,
      )
    const begun = await hangingAfter('sent', 'responding')
    expect(begun.summary).to.match(/^incomplete response after \d+ ms$/)
    expect(failureKind(begun as never)).to.match(/^incomplete response after \d+ ms$/)
    expect((await hangingAfter('sent', 'responding', 'sent')).summary).to.match(/^no response in \d+ ms$/)
  })

  it('says what opened the circuit in another process', async () => {
    const guard = limited()
    guard.shared.follow(Date.now() + LONG_MS, 'another process', [{ kind: 'connection refused', count: 5 }])
    const refused = await failureOf(ask(guard, async () => 1).answer)
    const { failure, summary } = refused
    expect({ failure, summary, kind: failureKind(refused as never) }).to.deep.equal({
      failure: 'circuit_open',
      summary: 'circuit open after 5 × connection refused: no call was made',
      kind: 'connection refused',
    })
  })

  it('neither counts nor retries calls in the background', async () => {
    const guard = limited()
    let asked = 0
    const work = () => {
      asked += 1
      return Promise.reject(new UpstreamError('unavailable', 'as asked', { retryable: true }))
    }
    for (let i = 0; i < 30; i++)
      await failureOf(
        guard.run({ requestId: 'feed', operation: 'prices', priority: 'search', read: true, background: true, work })
          .answer,
      )
    expect([asked, guard.state]).to.deep.equal([30, 'closed'])
  })

  it('counts a refused login, in the background too', async () => {
    const guard = limited()
    const work = failing('unauthorized')
    for (let i = 0; i < 30 && guard.state === 'closed'; i++)
      await failureOf(
        guard.run({ requestId: 'feed', operation: 'prices', priority: 'search', read: true, background: true, work })
          .answer,
      )
    expect(guard.state).to.equal('open')
  })

  describe('of a system that is seldom called', () => {
    /** The clock stands at the start of each question; how long it took is told to it. */
    async function asked(guard: Guard, clock: { ms: number }, took: number, failure: UpstreamFailure, times: number) {
      for (let i = 0; i < times; i++)
        await failureOf(
          ask(guard, () => {
            clock.ms += took
            return failing(failure)()
          }).answer,
        )
    }

    it('opens after five failures in a row, whatever uncounted results came between', async () => {
      const clock = { ms: 0 }
      const guard = createGuard('pricing', guardDefaults, () => clock.ms)
      await asked(guard, clock, 700, 'timeout', 4)
      await asked(guard, clock, 700, 'rejected', 3)
      expect(guard.state).to.equal('closed')
      await asked(guard, clock, 700, 'timeout', 1)
      expect(guard.state).to.equal('open')
    })

    it('opens too when its time limit is long', async () => {
      const clock = { ms: 0 }
      const guard = createGuard('pricing', { ...guardDefaults, timeoutMs: 20_000 }, () => clock.ms)
      await asked(guard, clock, 20_000, 'timeout', 4)
      expect(guard.state).to.equal('closed')
      await asked(guard, clock, 20_000, 'timeout', 1)
      expect(guard.state).to.equal('open')
    })

    it('stays closed when all failures were in the background', async () => {
      const clock = { ms: 0 }
      const guard = createGuard('inventory', guardDefaults, () => clock.ms)
      const work = () => {
        clock.ms += 700
        return Promise.reject(new UpstreamError('timeout', 'as asked'))
      }
      for (let i = 0; i < 9; i++)
        await failureOf(
          guard.run({ requestId: 'feed', operation: 'prices', priority: 'search', read: true, background: true, work })
            .answer,
        )
      expect(guard.state).to.equal('closed')
    })
  })

  it('treats an unexpected error as a failure of the adapter', async () => {
    const { failure, message } = await failureOf(
      ask(limited(), () => Promise.reject(new TypeError('x of undefined'))).answer,
    )
    expect([failure, message]).to.deep.equal(['error', 'TypeError: x of undefined'])
  })

  it('ends a call at its deadline, and frees its place', async () => {
    const guard = limited({ timeoutMs: 30, concurrency: 1 })
    let signal: AbortSignal | undefined
    const { failure } = await failureOf(
      ask(guard, (call) => {
        signal = call.signal
        return hanging(call)
      }).answer,
    )
    expect([failure, signal?.aborted]).to.deep.equal(['timeout', true])
    expect(await ask(guard, async () => 'next').answer).to.equal('next')
  })

  it('ends one call without touching its siblings', async () => {
    const guard = limited({ timeoutMs: 5_000 })
    const answers = Array.from({ length: 5 }, () => Promise.withResolvers<string>())
    const running = answers.map(({ promise }) => ask(guard, () => promise))
    const left = ask(guard, hanging)
    left.abandon()
    expect((await failureOf(left.answer)).failure).to.equal('aborted')
    for (const { resolve } of answers) resolve('whole')
    expect(await Promise.all(running.map(({ answer }) => answer))).to.deep.equal(Array(5).fill('whole'))
  })

  it('does not count callers who leave as failures', async () => {
    const guard = onStandingClock()
    for (let i = 0; i < 50; i++) {
      const running = ask(guard, hanging)
      running.abandon()
      await failureOf(running.answer)
    }
    for (let i = 0; i < 9; i++) await failureOf(ask(guard, failing('error')).answer)
    expect(guard.state).to.equal('closed')
  })

  it('counts a call that is out of time at once, even if its work never ends', async () => {
    const guard = limited({ timeoutMs: 10, openMs: LONG_MS })
    await Promise.all(Array.from({ length: 10 }, () => failureOf(ask(guard, () => new Promise(() => {})).answer)))
    await untilTrue(() => guard.state === 'open')
  })

  it('does not count an answer after the deadline as a success', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 })
    try {
      // With a window of its own length: breakers of one length share a timer, which must be of this clock.
      const guard = limited({ timeoutMs: 10, windowMs: 29_994, openMs: 5, probes: 1 })
      for (let i = 0; i < 10; i++) await failureOf(ask(guard, failing('error')).answer)
      await settled()
      mock.timers.tick(5)
      expect(guard.state).to.equal('half-open')
      const late = Promise.withResolvers<string>()
      const failed = failureOf(ask(guard, () => late.promise).answer)
      await settled()
      mock.timers.tick(10)
      expect((await failed).failure).to.equal('timeout')
      late.resolve('too late')
      await settled()
      expect(guard.state).to.equal('open')
    } finally {
      mock.timers.reset()
    }
  })

  it('admits one probe and refuses other calls, and runs the probe to its end when its caller leaves', async () => {
    const guard = limited({ openMs: 5, probes: 1, timeoutMs: LONG_MS, probeLeaseMs: LONG_MS })
    for (let i = 0; i < 10; i++) await failureOf(ask(guard, failing('error')).answer)
    await untilTrue(() => guard.state === 'half-open')
    const answer = Promise.withResolvers<string>()
    let aborted = false
    const probe = ask(guard, (call) => {
      call.signal.addEventListener('abort', () => {
        aborted = true
      })
      return answer.promise
    })
    const others = await Promise.all(Array.from({ length: 20 }, () => failureOf(ask(guard, async () => 1).answer)))
    expect(new Set(others.map(({ failure }) => failure))).to.deep.equal(new Set(['circuit_open']))
    probe.abandon()
    expect((await failureOf(probe.answer)).failure).to.equal('aborted')
    expect([guard.state, aborted]).to.deep.equal(['half-open', false])
    answer.resolve('well')
    await untilTrue(() => guard.state === 'closed')
  })

  it('counts a probe that nobody waits for as failed when it gets no answer in time', async () => {
    const outcomes: string[] = []
    const limits = { ...guardDefaults, openMs: 5, probes: 1, timeoutMs: 30 }
    const onCall = ({ outcome }: CallTrace) => void outcomes.push(outcome)
    const guard = createGuard('pricing', limits, Date.now, { onCall })
    for (let i = 0; i < 10; i++) await failureOf(ask(guard, failing('error')).answer)
    await untilTrue(() => guard.state === 'half-open')
    const probe = ask(guard, hanging)
    probe.abandon()
    await failureOf(probe.answer)
    await untilTrue(() => outcomes.length === 11)
    expect(outcomes.at(-1)).to.equal('timeout')
  })

  it('closes circuits even if callers of several systems leave when one refuses', async () => {
    const limits = { openMs: 5, probes: 2, timeoutMs: LONG_MS, probeLeaseMs: LONG_MS }
    const guards = [limited(limits), limited(limits)]
    for (const guard of guards) for (let i = 0; i < 10; i++) await failureOf(ask(guard, failing('error')).answer)
    guards[1]!.hold({ state: 'open', untilMs: Date.now() + 60_000, by: 'ada' })
    const answers: (() => void)[] = []
    const together = async () => {
      const running = guards.map((guard) => ask(guard, () => new Promise<void>((resolve) => answers.push(resolve))))
      await failureOf(Promise.all(running.map(({ answer }) => answer)))
      for (const { abandon, answer } of running) {
        abandon()
        answer.catch(() => {})
      }
      await settled()
      for (const resolve of answers) resolve()
    }
    await untilTrue(() => guards[0]!.state === 'half-open')
    for (let time = 0; guards[0]!.state !== 'closed'; time++) {
      expect(time, 'it closes after a few').to.be.below(10)
      await together()
    }
  })

  it('is not closed by a rejected request', async () => {
    const guard = limited({ openMs: 5, probes: 1 })
    for (let i = 0; i < 10; i++) await failureOf(ask(guard, failing('error')).answer)
    await untilTrue(() => guard.state === 'half-open')
    for (const failure of ['rejected', 'rate_limited'] as const) await failureOf(ask(guard, failing(failure)).answer)
    expect(guard.state).to.equal('half-open')
  })
})

describe('a guard at its limit of concurrent calls', () => {
  const counted = (guard: Guard, priority: CallPriority, tries: number) => {
    const running = Array.from({ length: tries }, () => ask(guard, hanging, priority))
    for (const { answer } of running) answer.catch(() => {})
    return running
  }

  it('sheds search first, then the catalog, then the cart, then checkout', async () => {
    const accepted: Record<string, number> = {}
    for (const priority of ['search', 'catalog', 'cart', 'checkout'] as const) {
      const guard = limited({ concurrency: 1, queue: 20, timeoutMs: LONG_MS })
      const refused = new Set<number>()
      const running = Array.from({ length: 100 }, () => ask(guard, hanging, priority))
      for (const [at, { answer }] of running.entries())
        answer.catch(({ failure }) => failure === 'overloaded' && refused.add(at))
      await settled()
      accepted[priority] = running.length - refused.size
      expect(guard.state, 'and says nothing against the system').to.equal('closed')
      for (const { abandon } of running) abandon()
    }
    expect(accepted).to.deep.equal({ search: 11, catalog: 16, cart: 19, checkout: 21 })
  })

  it('refuses at once, with a time to try again', async () => {
    const guard = limited({ concurrency: 2, queue: 4, timeoutMs: LONG_MS })
    const running = counted(guard, 'checkout', 6)
    const { failure, retryAfterMs } = await failureOf(ask(guard, hanging, 'checkout').answer)
    expect([failure, retryAfterMs]).to.deep.equal(['overloaded', 1_000])
    for (const { abandon } of running) abandon()
  })

  it('works without a queue', async () => {
    const guard = limited({ concurrency: 2, queue: 0, timeoutMs: LONG_MS })
    const running = counted(guard, 'search', 2)
    expect((await failureOf(ask(guard, hanging).answer)).failure).to.equal('overloaded')
    for (const { abandon } of running) abandon()
    await untilTrue(async () => (await ask(guard, async () => 'well').answer.catch(() => '')) === 'well')
  })

  it('keeps no place in the queue for calls that were abandoned', async () => {
    const guard = limited({ concurrency: 1, queue: 4, timeoutMs: LONG_MS })
    const [first] = counted(guard, 'checkout', 1)
    for (const { abandon } of counted(guard, 'checkout', 4)) abandon()
    const next = ask(guard, async () => 'next', 'checkout')
    first!.abandon()
    expect(await next.answer).to.equal('next')
  })

  it('frees a place in the queue when a call starts', async () => {
    const guard = limited({ concurrency: 2, queue: 8, timeoutMs: LONG_MS })
    for (let round = 0; round < 4; round++) {
      const answers = Array.from({ length: 8 }, (_, at) => ask(guard, async () => at, 'catalog').answer)
      expect(await Promise.all(answers)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
    }
  })

  it('reports a call that spent its time in the queue as overloaded, not as a timeout', async () => {
    const guard = limited({ concurrency: 1, timeoutMs: LONG_MS })
    const [first] = counted(guard, 'checkout', 1)
    let asked = 0
    const work = async () => ++asked
    const waiting = guard.run({
      requestId: 'req-1',
      operation: 'prices',
      priority: 'checkout',
      read: true,
      timeoutMs: 20,
      work,
    })
    const { failure, retryAfterMs } = await failureOf(waiting.answer)
    first!.abandon()
    await ask(guard, async () => 'well').answer
    expect([failure, retryAfterMs, asked]).to.deep.equal(['overloaded', 1_000, 0])
  })

  for (const [what, read, failure] of [
    ['holds a long line against no system, when a turn came late', true, 'overloaded'],
    ['never says of a write that was begun that it was not sent', false, 'timeout'],
  ] as const)
    it(what, async () => {
      let clock = 0
      const guard = createGuard('pricing', { ...guardDefaults, timeoutMs: 1_000, concurrency: 1 }, () => clock)
      const [first] = counted(guard, 'checkout', 1)
      const begun = Promise.withResolvers<void>()
      const work = (call: Call) => {
        begun.resolve()
        return hanging(call)
      }
      const late = guard.run({
        requestId: 'req-1',
        operation: 'prices',
        priority: 'checkout',
        read,
        timeoutMs: 2_500,
        work,
      })
      clock = 2_000
      first!.abandon()
      await begun.promise
      clock = 2_500
      late.abandon(true)
      expect((await failureOf(late.answer)).failure).to.equal(failure)
    })

  it('makes no call for those who left the queue', async () => {
    const guard = limited({ concurrency: 1, timeoutMs: LONG_MS })
    const [first] = counted(guard, 'checkout', 1)
    let asked = 0
    const waiting = ask(guard, async () => ++asked)
    waiting.abandon()
    first!.abandon()
    await failureOf(waiting.answer)
    await ask(guard, async () => 'well').answer
    expect(asked).to.equal(0)
  })

  describe('reports each call', () => {
    const watched = (limits: Partial<GuardLimits> = {}, now = Date.now) => {
      const calls: CallTrace[] = []
      const watchers = { tenantKey: 'acme/live', onCall: (call: CallTrace) => void calls.push(call) }
      return { calls, guard: createGuard('pricing', { ...guardDefaults, ...limits }, now, watchers) }
    }

    it('that succeeded, once', async () => {
      const { calls, guard } = watched()
      const running = ask(guard, async () => 1)
      const [call] = running.calls
      expect(call).to.include({ outcome: 'pending', ms: null })
      await running.answer
      running.abandon()
      expect(calls).to.have.length(1)
      expect(calls[0]).to.equal(call)
      const { ms, at, queuedMs, ...rest } = calls[0]!
      expect(rest).to.deep.equal({ system: 'pricing', operation: 'prices', attempts: 1, outcome: 'ok', cause: null })
      expect(ms).to.be.at.least(queuedMs)
    })

    it('that failed, without quoting the system', async () => {
      const { calls, guard } = watched()
      const said = new UpstreamError('error', 'GET /x responded 500: key=secret', { summary: 'responded 500' })
      const failure = await failureOf(ask(guard, () => Promise.reject(said)).answer)
      expect(failure.system).to.equal('pricing')
      expect(calls[0]).to.include({ outcome: 'error', cause: 'responded 500', attempts: 1 })
    })

    it('that was retried', async () => {
      const { calls, guard } = watched({ timeoutMs: LONG_MS })
      let tries = 0
      const work = async () => {
        tries += 1
        if (tries === 1) throw new UpstreamError('unavailable', 'lost', { retryable: true })
        return tries
      }
      await ask(guard, work).answer
      expect(calls[0]).to.include({ outcome: 'ok', attempts: 2 })
    })

    it('that ran out of time, at that moment and not when its work ends', async () => {
      const { calls, guard } = watched({ timeoutMs: 20 })
      await failureOf(ask(guard, hanging).answer)
      expect(calls).to.have.length(1)
      expect(calls[0]).to.include({ outcome: 'timeout', attempts: 1 })
      expect(calls[0]!.cause).to.match(/^no response in \d+ ms$/)
    })

    it('that was abandoned in the queue, and does not change it when its turn comes', async () => {
      let clock = 0
      const { calls, guard } = watched({ concurrency: 1, timeoutMs: 20 }, () => clock)
      const { promise, resolve } = Promise.withResolvers<number>()
      const first = ask(guard, () => promise)
      const last = ask(guard, async () => 1)
      clock = 20
      await Promise.all([failureOf(first.answer), failureOf(last.answer)])
      const then = structuredClone(calls)
      expect(then[1]).to.include({ outcome: 'overloaded', attempts: 0, queuedMs: 20, ms: 20 })
      resolve(1)
      expect(await ask(guard, async () => 2).answer).to.equal(2)
      expect(calls.slice(0, 2)).to.deep.equal(then)
    })

    it('that it refused: circuit open, held by an operator, queue full', async () => {
      const { calls, guard } = watched({ concurrency: 1, queue: 0 })
      const first = ask(guard, hanging)
      await failureOf(ask(guard, async () => 1).answer)
      first.abandon()
      await failureOf(first.answer)
      guard.hold({ state: 'open', untilMs: Date.now() + 60_000, by: 'ada' })
      await failureOf(ask(guard, async () => 1).answer)
      expect(calls.map(({ outcome, attempts, cause }) => [outcome, attempts, cause])).to.deep.equal([
        ['overloaded', 0, 'queue full: no call was made'],
        ['aborted', 1, 'aborted: no request was waiting for it'],
        ['circuit_open', 0, 'circuit held open by an operator: no call was made'],
      ])
    })
  })
})
