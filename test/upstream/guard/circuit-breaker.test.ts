import { mock } from 'node:test'
import { expect } from 'chai'
import { breakerDefaults } from '../../../src/upstream/guard/breaker-limits.ts'
import { type Breaker, type BreakerLease, createBreaker } from '../../../src/upstream/guard/circuit-breaker.ts'

// Each test has a window length of its own: breakers of one length share a timer, which must be of this test's clock.
let windowMs = 30_000

function breaker(limits = {}): Breaker {
  windowMs += 6
  return createBreaker({ ...breakerDefaults, windowMs, openMs: 1_000, maxOpenMs: 3_000, ...limits })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function told(circuit: Breaker, how: Exclude<keyof BreakerLease, 'isProbe'>, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) circuit.admit()![how]()
  await settled()
}

async function opened(limits = {}): Promise<Breaker> {
  const circuit = breaker(limits)
  await told(circuit, 'fail', 10)
  expect(circuit.state).to.equal('open')
  return circuit
}

async function halfOpen(limits = {}): Promise<Breaker> {
  const circuit = await opened(limits)
  mock.timers.tick(1_000)
  expect(circuit.state).to.equal('half-open')
  return circuit
}

describe('a circuit breaker that an operator holds', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  it('admits nothing while it is held open, and says for how long', () => {
    const circuit = breaker()
    circuit.hold({ state: 'open', untilMs: 1_060_000, by: 'ada' })
    expect([circuit.state, circuit.admit(), circuit.retryAfterMs()]).to.deep.equal(['open', null, 60_000])
    expect(circuit.held).to.include({ state: 'open', by: 'ada' })
    mock.timers.tick(60_000)
    expect([circuit.state, circuit.held]).to.deep.equal(['closed', null])
    expect(circuit.admit()).not.to.equal(null)
  })

  it('admits everything while it is held closed, and is as before when the hold ends', async () => {
    const circuit = await opened()
    circuit.hold({ state: 'closed', untilMs: 1_060_000, by: 'ada' })
    for (let i = 0; i < 100; i++) circuit.admit()!.fail()
    await settled()
    expect(circuit.state).to.equal('closed')
    circuit.hold(null)
    expect([circuit.state, circuit.held]).to.deep.equal(['open', null])
  })

  it('does not count failures during a hold', async () => {
    const circuit = breaker()
    circuit.hold({ state: 'closed', untilMs: 1_060_000, by: 'ada' })
    for (let i = 0; i < 100; i++) circuit.admit()!.fail()
    await settled()
    circuit.hold(null)
    expect(circuit.state).to.equal('closed')
  })
})

describe('a circuit breaker', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  it('reports opening and closing, but no probes in between', async () => {
    windowMs += 6
    const turns: string[] = []
    const limits = { ...breakerDefaults, windowMs, openMs: 1_000, maxOpenMs: 3_000 }
    const circuit = createBreaker(limits, Date.now, (state) => turns.push(state))
    await told(circuit, 'fail', 10)
    mock.timers.tick(1_000)
    await told(circuit, 'fail')
    expect(circuit.state).to.equal('open')
    expect(turns).to.deep.equal(['open'])
    mock.timers.tick(1_500)
    await told(circuit, 'succeed', 2)
    expect(circuit.state).to.equal('closed')
    expect(turns).to.deep.equal(['open', 'closed'])
  })

  it('reports the failures that opened it, and none from before it closed', async () => {
    windowMs += 6
    const openings: unknown[] = []
    const limits = { ...breakerDefaults, windowMs, openMs: 1_000, maxOpenMs: 3_000 }
    const circuit = createBreaker(limits, Date.now, (state, failures) => {
      if (state === 'open') openings.push(failures)
    })
    const failAs = async (kind: string, times: number) => {
      for (let failed = 0; failed < times; failed++) circuit.admit()!.fail(kind)
      await told(circuit, 'succeed', 0)
    }
    await failAs('connection refused', 7)
    await failAs('HTTP 502', 3)
    mock.timers.tick(1_000)
    await told(circuit, 'succeed', 2)
    expect(circuit.state).to.equal('closed')
    await failAs('HTTP 502', 10)
    expect(openings).to.deep.equal([
      [
        { kind: 'connection refused', count: 7 },
        { kind: 'HTTP 502', count: 3 },
      ],
      [{ kind: 'HTTP 502', count: 10 }],
    ])
  })

  it('reports no failure from before the success after which a streak opened it', async () => {
    windowMs += 6
    const openings: unknown[] = []
    const limits = { ...breakerDefaults, windowMs, minimumCalls: 100 }
    const circuit = createBreaker(limits, Date.now, (state, failures) => {
      if (state === 'open') openings.push(failures)
    })
    const failAs = async (kind: string, times: number) => {
      for (let failed = 0; failed < times; failed++) {
        circuit.admit()!.fail(kind)
        mock.timers.tick(1_000)
        await told(circuit, 'succeed', 0)
      }
    }
    await failAs('unreadable response', 4)
    await told(circuit, 'succeed')
    mock.timers.tick(1_000)
    await failAs('no response in 650 ms', 5)
    expect(openings).to.deep.equal([[{ kind: 'no response in 650 ms', count: 5 }]])
  })

  it('stays closed below the least number of calls, and opens with the call that reaches it', async () => {
    const circuit = breaker({ minimumCalls: 10 })
    await told(circuit, 'fail', 9)
    expect(circuit.state).to.equal('closed')
    await told(circuit, 'fail')
    expect(circuit.state).to.equal('open')
    expect(circuit.admit()).to.equal(null)
  })

  it('opens above the failure rate, not at it', async () => {
    const circuit = breaker({ failurePercentage: 20 })
    await told(circuit, 'succeed', 40)
    await told(circuit, 'fail', 10)
    expect(circuit.state).to.equal('closed')
    await told(circuit, 'fail')
    expect(circuit.state).to.equal('open')
  })

  it('forgets failures that are older than the window', async () => {
    const circuit = breaker()
    await told(circuit, 'fail', 9)
    mock.timers.tick(windowMs + windowMs / 6)
    await told(circuit, 'fail', 9)
    expect(circuit.state).to.equal('closed')
  })

  describe('of a system that is seldom called', () => {
    /** One after another, each failing `apartMs` after it set out. */
    async function failing(circuit: Breaker, times: number, apartMs = 700): Promise<void> {
      for (let i = 0; i < times; i++) {
        const lease = circuit.admit()!
        mock.timers.tick(apartMs)
        lease.fail()
      }
      await settled()
    }

    it('opens with the fifth failure in a row', async () => {
      const circuit = breaker()
      await failing(circuit, 4)
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 1)
      expect([circuit.state, circuit.admit(), circuit.retryAfterMs()]).to.deep.equal(['open', null, 1_000])
    })

    it('opens when the five failures take the longest time allowed, not longer', async () => {
      const [within, beyond] = [breaker(), breaker()]
      await failing(within, 5, 7_500)
      expect(within.state).to.equal('open')
      await failing(beyond, 20, 7_501)
      expect(beyond.state).to.equal('closed')
    })

    it('forgets only the oldest failure of a streak', async () => {
      const circuit = breaker()
      await failing(circuit, 1)
      mock.timers.tick(28_000)
      await failing(circuit, 3)
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 1)
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 1)
      expect(circuit.state).to.equal('open')
    })

    it('stays closed while a success comes between, however seldom', async () => {
      const circuit = breaker({ minimumCalls: 1_000 })
      for (let round = 0; round < 20; round++) {
        await failing(circuit, 4)
        await told(circuit, 'succeed')
      }
      expect(circuit.state).to.equal('closed')
    })

    it('counts a release neither as failure nor as success', async () => {
      const circuit = breaker()
      await failing(circuit, 4)
      await told(circuit, 'release', 20)
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 1)
      expect(circuit.state).to.equal('open')
    })

    it('counts calls that ran at the same time once', async () => {
      const circuit = breaker()
      await failing(circuit, 1)
      mock.timers.tick(5_000)
      const together = Array.from({ length: 6 }, () => circuit.admit()!)
      for (const lease of together) {
        mock.timers.tick(300)
        lease.fail()
      }
      await settled()
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 3)
      expect(circuit.state).to.equal('open')
    })

    it('stays closed until a streak has lasted two seconds', async () => {
      const circuit = breaker()
      await failing(circuit, 8, 250)
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 1, 250)
      expect(circuit.state).to.equal('open')
    })

    it('starts over after a recovery, and is probed like any other', async () => {
      const circuit = breaker({ probes: 1 })
      await failing(circuit, 5)
      mock.timers.tick(1_000)
      expect(circuit.state).to.equal('half-open')
      await told(circuit, 'fail')
      expect([circuit.state, circuit.retryAfterMs()]).to.deep.equal(['open', 1_500])
      mock.timers.tick(1_500)
      await told(circuit, 'succeed')
      await failing(circuit, 4)
      expect(circuit.state).to.equal('closed')
      await failing(circuit, 1)
      expect(circuit.state).to.equal('open')
    })

    it('opens once when both rules apply', async () => {
      const circuit = breaker({ minimumCalls: 5 })
      await failing(circuit, 5)
      mock.timers.tick(999)
      expect(circuit.state).to.equal('open')
      mock.timers.tick(1)
      await told(circuit, 'succeed', 2)
      expect(circuit.state).to.equal('closed')
    })
  })

  it('takes no verdict from a released lease, and only the first from any other', async () => {
    const circuit = breaker()
    await told(circuit, 'release', 50)
    for (let i = 0; i < 50; i++) {
      const lease = circuit.admit()!
      lease.release()
      lease.fail()
    }
    await settled()
    expect(circuit.state).to.equal('closed')
    await told(circuit, 'fail', 10)
    expect(circuit.state).to.equal('open')
  })

  it('is not closed by a success of a call from before it opened', async () => {
    const circuit = breaker({ probes: 1 })
    const early = [circuit.admit()!, circuit.admit()!, circuit.admit()!]
    await told(circuit, 'fail', 10)
    early[0]!.succeed()
    mock.timers.tick(1_000)
    early[1]!.succeed()
    await settled()
    expect(circuit.state).to.equal('half-open')
    early[2]!.fail()
    await settled()
    expect(circuit.state, 'nor opened by a failure of that time').to.equal('half-open')
  })

  it('admits one probe at a time, and closes after enough successes', async () => {
    const circuit = await halfOpen({ probes: 3 })
    for (let passed = 0; passed < 3; passed++) {
      expect(circuit.state).to.equal('half-open')
      const probe = circuit.admit()!
      expect([circuit.admit(), circuit.admit()]).to.deep.equal([null, null])
      probe.succeed()
      await settled()
    }
    expect(circuit.state).to.equal('closed')
  })

  it('admits another probe at once when one is released', async () => {
    const circuit = await halfOpen({ probes: 1 })
    await told(circuit, 'release')
    expect(circuit.state).to.equal('half-open')
    await told(circuit, 'succeed')
    expect(circuit.state).to.equal('closed')
  })

  it('admits another probe when the lease of a hanging one ends', async () => {
    const circuit = await halfOpen({ probes: 1, probeLeaseMs: 2_000 })
    circuit.admit()
    mock.timers.tick(1_999)
    expect(circuit.admit()).to.equal(null)
    mock.timers.tick(1)
    await told(circuit, 'succeed')
    expect(circuit.state).to.equal('closed')
  })

  it('stays open longer after each failed probe, up to a limit, and starts over after a recovery', async () => {
    const circuit = await halfOpen({ probes: 1 })
    for (const openMs of [1_500, 2_250, 3_000, 3_000]) {
      await told(circuit, 'fail')
      expect([circuit.state, circuit.retryAfterMs()]).to.deep.equal(['open', openMs])
      mock.timers.tick(openMs - 1)
      expect(circuit.state).to.equal('open')
      mock.timers.tick(1)
      expect(circuit.state).to.equal('half-open')
    }
    await told(circuit, 'succeed')
    await told(circuit, 'fail', 10)
    expect([circuit.state, circuit.retryAfterMs()]).to.deep.equal(['open', 1_000])
  })

  it('counts only what happened since a recovery', async () => {
    const circuit = await halfOpen({ probes: 1 })
    await told(circuit, 'succeed')
    await told(circuit, 'fail', 9)
    expect(circuit.state).to.equal('closed')
    await told(circuit, 'fail')
    expect(circuit.state).to.equal('open')
  })

  it('shares one timer among all breakers and leaves no listener behind', () => {
    const before = mock.timers
    expect(before).to.equal(mock.timers)
    const made = mock.method(globalThis, 'setInterval')
    const circuits = Array.from({ length: 3_000 }, () => createBreaker({ ...breakerDefaults, windowMs: 77_777 }))
    expect(made.mock.callCount()).to.equal(1)
    for (const circuit of circuits) circuit[Symbol.dispose]()
    made.mock.restore()
  })

  it('ignores results after its end', async () => {
    const circuit = breaker()
    const lease = circuit.admit()!
    circuit[Symbol.dispose]()
    lease.fail()
    for (let i = 0; i < 5; i++) {
      const later = circuit.admit()!
      mock.timers.tick(700)
      later.fail()
    }
    await settled()
    expect(circuit.state).to.equal('closed')
  })

  it('closes when no call has used it for 30 s since it is half-open', async () => {
    windowMs += 6
    const turns: string[] = []
    const circuit = createBreaker({ ...breakerDefaults, windowMs, openMs: 1_000 }, Date.now, (state) =>
      turns.push(state),
    )
    await told(circuit, 'fail', 10)
    mock.timers.tick(1_000)
    mock.timers.tick(29_999)
    expect([circuit.state, turns]).to.deep.equal(['half-open', ['open']])
    mock.timers.tick(1)
    expect([circuit.state, turns]).to.deep.equal(['closed', ['open', 'closed']])
  })

  it('is opened by the first failure after it closed without a call', async () => {
    const circuit = await halfOpen()
    mock.timers.tick(30_000)
    await told(circuit, 'fail')
    expect(circuit.state).to.equal('open')
    mock.timers.tick(1_000)
    expect(circuit.state).to.equal('half-open')
  })

  it('is as any other circuit after the first success', async () => {
    const circuit = await halfOpen()
    mock.timers.tick(30_000)
    await told(circuit, 'succeed')
    await told(circuit, 'fail')
    expect(circuit.state).to.equal('closed')
  })

  it('stays half-open as long as calls use it', async () => {
    const circuit = await halfOpen()
    mock.timers.tick(29_000)
    await told(circuit, 'release')
    mock.timers.tick(29_000)
    expect(circuit.state).to.equal('half-open')
  })

  it('does not close by itself during a hold', async () => {
    const circuit = await halfOpen()
    circuit.hold({ state: 'open', untilMs: Date.now() + 60_000, by: 'ada' })
    mock.timers.tick(45_000)
    circuit.hold(null)
    expect(circuit.state).to.equal('half-open')
    mock.timers.tick(30_000)
    expect(circuit.state).to.equal('closed')
  })
})
