import { expect } from 'chai'
import { createDiagnostics, type Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import type { CallTrace } from '../../../src/upstream/request/call-trace.ts'
import { callTrace, finishedRequest, okSection, timedOutSection } from '../../diagnostics/diagnostics-setup.ts'
import { expectAll } from './expect-on-page.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { toClock } from './outage-times.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const

describe('an outage of accounting that one of two processes sees', () => {
  let outages: OutageConsole
  let other: Diagnostics

  beforeEach(async () => {
    outages = await openOutageConsole()
    const { db, clock } = outages
    const onError = (error: unknown) => expect.fail(String(error))
    other = createDiagnostics({ db, now: () => clock.ms, process: 'two', timed: false, onError })
  })
  afterEach(async () => {
    await other[Symbol.asyncDispose]()
    await outages[Symbol.asyncDispose]()
  })

  function checkOut(process: Diagnostics, outcome: CallTrace['outcome']) {
    const call = callTrace({ system: 'accounting', operation: 'placeOrder', outcome })
    const system = 'accounting' as const
    const failure = { system, kind: 'no response in 700 ms' }
    process.recordCall(acmeLive, call)
    process.recordRequest(
      finishedRequest({
        ...{ route: 'checkout', status: outcome === 'ok' ? 200 : 504, calls: [call] },
        sections: [outcome === 'ok' ? okSection('checkout', { system }) : timedOutSection('checkout', failure)],
      }),
    )
  }
  async function flush() {
    for (const process of [other, outages.diagnostics]) await process.flush()
  }

  it('is ongoing, and nobody is told that it is over because the other has good responses', async () => {
    const { clock, readIncident, readText } = outages
    const beganAt = clock.ms
    for (let second = 0; second < 4; second += 1) {
      checkOut(other, 'timeout')
      clock.ms += 1_000
      checkOut(outages.diagnostics, 'ok')
      await flush()
    }
    const { page } = await readIncident(beganAt)
    expectAll(page, ['The incident is ongoing', 'What to do: Tell whoever runs accounting of Acme Parts now'])
    expect(page).to.not.include('Nothing is urgent')
    expect(await readText('/')).to.include('Degraded: accounting of Acme Parts (live)')
  })

  it('is not confirmed to be over until that process has a success, and both pages say so', async () => {
    const { clock, readIncident, readText } = outages
    const beganAt = clock.ms
    checkOut(other, 'timeout')
    await flush()
    clock.ms += 20_000
    const workedAt = clock.ms
    checkOut(outages.diagnostics, 'ok')
    await flush()
    const recovery = `A good response was sent at ${toClock(workedAt)}, but a server process that saw it fail has had no success since.`
    const since = `no degraded response since ${toClock(beganAt)}. ${recovery}`
    const { page, list } = await readIncident(beganAt)
    expectAll(page, [
      `No degraded response since ${toClock(beganAt)}. ${recovery}`,
      'The incident ends when that process has a success, stops, or has seen no failure for a minute.',
      `What to do: ${recovery} Wait a minute. If this incident is still open then, tell whoever runs accounting of Acme Parts: no response in 700 ms, since ${toClock(beganAt)}, but only for some calls. Also tell whoever runs Forecourt that not all of its processes reach accounting.`,
    ])
    expect(list).to.include('Not confirmed yet')
    const now = await readText('/')
    expectAll(now, ['Not confirmed yet', since])
    for (const text of [page, list, now]) expect(text).to.not.match(/[Nn]o (new )?requests|Nothing is urgent/)

    checkOut(other, 'ok')
    await flush()
    expectAll((await readIncident(beganAt)).page, ['Nothing is urgent: accounting has worked since'])
  })
})
