import { mock } from 'node:test'
import { expect } from 'chai'
import { runSharedLoad } from '../../adapters/shared-load.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'

describe('a shared load', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  for (const [outcome, end] of [
    ['is done', () => Promise.resolve(1)],
    ['has failed', () => Promise.reject(new UpstreamError('error', 'broken'))],
  ] as const) {
    it(`clears its timer when it ${outcome}`, async () => {
      let call: Call | undefined
      const work = runSharedLoad('shared', 10_000, (own) => {
        call = own
        return end()
      })
      await work.catch(() => {})
      mock.timers.tick(10_000)
      expect(call!.signal.aborted).to.equal(false)
    })
  }

  it('ends at its time limit', () => {
    let call: Call | undefined
    void runSharedLoad('shared', 10_000, (own) => {
      call = own
      return new Promise(() => {})
    })
    mock.timers.tick(9_999)
    expect([call!.signal.aborted, call!.timeoutMs()]).to.deep.equal([false, 1])
    mock.timers.tick(1)
    expect(call!.signal.reason).to.include({ failure: 'timeout' })
  })
})
