import { expect } from 'chai'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { createGuard, guardDefaults } from '../../../src/upstream/guard/guard.ts'

describe('a system that rejects calls', () => {
  function createAskedGuard() {
    const clock = { ms: 0 }
    const guard = createGuard('pricing', guardDefaults, () => clock.ms)
    const ask = async (failure: UpstreamFailure | null, afterMs = 1_000) => {
      clock.ms += afterMs
      const work = async () => {
        if (failure !== null) throw new UpstreamError(failure, 'no')
      }
      const task = {
        requestId: 'req-1',
        recorder: undefined,
        operation: 'prices',
        priority: 'catalog',
        read: true,
      } as const
      await guard.run({ ...task, work }).answer.catch(() => {})
    }
    return { clock, guard, ask }
  }

  it('is distinguished from one that rejects only some calls', async () => {
    const { guard, ask } = createAskedGuard()
    for (let calls = 0; calls < 4; calls += 1) await ask('rejected')
    expect(guard.rejectsCalls).to.equal(false)
    await ask('misconfigured')
    expect([guard.rejectsCalls, guard.state]).to.deep.equal([true, 'closed'])
    await ask('timeout')
    expect(guard.rejectsCalls).to.equal(true)
    await ask(null)
    expect(guard.rejectsCalls).to.equal(false)
  })

  it('must have done so for some time, not in one request', async () => {
    const { guard, ask } = createAskedGuard()
    for (let calls = 0; calls < 10; calls += 1) await ask('rejected', 100)
    expect(guard.rejectsCalls).to.equal(false)
    for (let calls = 0; calls < 10; calls += 1) await ask('rejected', 200)
    expect(guard.rejectsCalls).to.equal(true)
  })

  it('is no longer known to do so when it has not been called for five minutes', async () => {
    const { clock, guard, ask } = createAskedGuard()
    for (let calls = 0; calls < 5; calls += 1) await ask('rejected')
    clock.ms += 300_001
    expect(guard.rejectsCalls).to.equal(false)
    await ask('rejected')
    expect(guard.rejectsCalls).to.equal(false)
  })

  it('is not one that only lacks the requested thing', async () => {
    const { guard, ask } = createAskedGuard()
    for (let calls = 0; calls < 9; calls += 1) await ask('not_configured')
    expect(guard.rejectsCalls).to.equal(false)
  })
})
