import { expect } from 'chai'
import type { ChangeJob } from '../../../src/changes/feed/change-job.ts'
import { createScheduledJob } from '../../../src/changes/schedule/scheduled-job.ts'
import { UpstreamError } from '../../../src/errors.ts'

const INTERVAL_MS = 10_000

/** A job on a clock of its own that has just run, and waits for as long as the jitter allows. */
async function runOnce(members: Partial<ChangeJob> = {}) {
  const clock = { nowMs: 0 }
  const job: ChangeJob = { name: 'prices', system: 'pricing', callsSystem: true, run: async () => {}, ...members }
  const scheduled = createScheduledJob({
    job,
    now: () => clock.nowMs,
    intervalMs: INTERVAL_MS,
    random: () => 1,
    onError: () => {},
  })
  await scheduled.start()
  return {
    scheduled,
    at(ms: number) {
      clock.nowMs = ms
      return [scheduled.isDueSoon, scheduled.isDue()]
    },
  }
}

describe('a scheduled job of a change feed', () => {
  it('may join the others within the jitter of its interval, and is due after it', async () => {
    const { at } = await runOnce()
    expect(at(8_999)).to.deep.equal([false, false])
    expect(at(9_000)).to.deep.equal([true, false])
    expect(at(11_000)).to.deep.equal([true, true])
  })

  it('joins nobody while its system fails, or with an interval of its own', async () => {
    const failing = await runOnce({ run: () => Promise.reject(new UpstreamError('unavailable', 'refused')) })
    expect(failing.at(9_500)[0]).to.equal(false)
    expect((await runOnce({ intervalMs: INTERVAL_MS })).at(9_500)).to.deep.equal([false, false])
    expect((await runOnce({ callsSystem: undefined as never })).at(9_500)[0]).to.equal(false)
  })
})
