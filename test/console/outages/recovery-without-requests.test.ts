import { expect } from 'chai'
import { insertOrderTry } from '../../../src/storage/commerce/order-tries.ts'
import { insertProcessStart } from '../../../src/storage/diagnostics/process-runs.ts'
import { upsertProcessState } from '../../../src/storage/diagnostics/process-states.ts'
import { callTrace, okSection, timedOutSection } from '../../diagnostics/diagnostics-setup.ts'
import { expectAll } from './expect-on-page.ts'
import { placeOrder } from './insert-carts-and-orders.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { around, MINUTE_MS, toClock } from './outage-times.ts'
import { recordRefusingLedger } from './record-order-outages.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const

describe('an outage of accounting after which nobody orders', () => {
  let outages: OutageConsole

  before(async () => {
    outages = await openOutageConsole()
  })
  after(() => outages[Symbol.asyncDispose]())

  const failed = (name: string) =>
    timedOutSection(name, { system: 'accounting', kind: 'no response in 700 ms', outcome: 'timeout' })
  const ordersOrTaxes = (operation: string) => ({ system: 'accounting', operation }) as const

  it('is not told as one that goes on, and stays one outage with one start', async () => {
    const { clock, diagnostics, readIncident, readText } = outages
    const beganAt = clock.ms
    const refuse = (section: string, route: string) => ({
      ...{ route, status: 504, code: 'downstream_timeout', sections: [failed(section)] },
      calls: [callTrace({ ...ordersOrTaxes(section), outcome: 'timeout' })],
    })
    await outages.record([refuse('checkout', 'checkout')], 6_000)
    await outages.record([refuse('data', 'listOrders')])
    diagnostics.recordCircuitTransition(acmeLive, 'accounting', 'open')
    clock.ms += 100_000
    await diagnostics.flush()
    expectAll((await readIncident(beganAt)).page, ['What to do: Tell whoever runs accounting of Acme Parts now'])
    const respondedAt = clock.ms
    diagnostics.recordCall(acmeLive, callTrace({ ...ordersOrTaxes('tax'), background: true }))
    diagnostics.recordCircuitTransition(acmeLive, 'accounting', 'closed')
    clock.ms += 20_000
    await diagnostics.flush()

    const since = `Accounting has responded again since ${toClock(respondedAt)} (other calls, also in the background).`
    const before = await readIncident(beganAt)
    expectAll(before.page, [
      `${since} No checkout since, so that part is not confirmed.`,
      'resumed: calls are made again',
    ])
    expect(before.page).to.not.match(/Tell whoever|What shoppers see /)
    expect(before.page.match(/resumed: calls are made again/g)).to.have.length(2)
    const now = await readText('/')
    expectAll(now, ['Responds again, not confirmed yet: accounting of Acme Parts (live)', since])
    expect(now).to.not.include('No new requests')
    const outage = `Outage of accounting Acme Parts, live: 2 sections`
    expect(before.list).to.include(`${outage} since ${toClock(beganAt)}`)

    const work = (section: string, route: string) => ({
      ...{ route, sections: [okSection(section, { system: 'accounting' })] },
      calls: [callTrace(ordersOrTaxes(section))],
    })
    await outages.record([work('checkout', 'checkout'), work('data', 'listOrders')])
    clock.ms += 10_000
    await diagnostics.flush()
    const { list, page } = await readIncident(beganAt)
    expect(list).to.include(`${outage} from ${toClock(beganAt)} to the last degraded response at`)
    expectAll(page, [
      `Nothing is urgent: accounting responded again at ${toClock(respondedAt)}, and this part has worked since`,
      'Also degraded by accounting at that time',
    ])
  })

  it('is told beside a time in which Forecourt did not run', async () => {
    const { clock, db, readText } = outages
    clock.ms += 60 * MINUTE_MS
    await outages.signIn()
    const iso = (ms: number) => new Date(ms).toISOString()
    const start = (process: string, ms: number) =>
      insertProcessStart(db, { at: iso(ms), process, version: '0.9.0', config_digest: null })
    await start('killed', clock.ms - 30 * MINUTE_MS)
    await upsertProcessState(db, { process: 'killed', at: iso(clock.ms), document: '{"owners":[]}' })
    const killedAt = clock.ms
    await start('next', killedAt + 8_000)
    const readAround = (ms: number) => readText(around('/incidents?', ms))
    clock.ms += 9_000
    expect(await readAround(killedAt), 'its last heartbeat is recent').to.not.include('did not run')
    clock.ms += 2_000
    const text = await readAround(killedAt)
    expectAll(text, [
      'No incident began, was open or ended within 10 minutes of that time.',
      `Forecourt did not run from ${toClock(killedAt)} (its last sign of life: it was killed, or its machine failed) to ${toClock(killedAt + 8_000)}, when it started again.`,
      'See Timeline.',
    ])
    expect(await readAround(killedAt - 25 * MINUTE_MS)).to.not.include('did not run')
  })
})

describe('an accounting that responds, but places no orders', () => {
  it('is not said to respond again while attempts to place an order fail', async () => {
    await using outages = await openOutageConsole()
    const { clock, db, diagnostics, readIncident, readText } = outages
    const beganAt = clock.ms
    const { order } = await recordRefusingLedger(outages)
    const call = (operation: string, outcome: 'ok' | 'timeout') =>
      diagnostics.recordCall(acmeLive, callTrace({ system: 'accounting', operation, outcome, background: true }))
    clock.ms += 20_000
    diagnostics.recordCircuitTransition(acmeLive, 'accounting', 'closed')
    call('taxes', 'ok')
    clock.ms += 10_000
    call('placeOrder', 'timeout')
    const failedAt = clock.ms
    const failed = { order_id: order, number: 2, at: new Date(failedAt).toISOString(), ms: 700 }
    await insertOrderTry(db, { ...failed, outcome: 'timeout', kind: 'no response in 700 ms' })
    clock.ms += 10_000
    call('taxes', 'ok')
    await diagnostics.flush()
    expect(await readText('/')).to.not.include('Responds again')
    const { page } = await readIncident(beganAt)
    expectAll(page, [
      'What to do: Tell whoever runs accounting of Acme Parts now: connection refused',
      `An attempt to place an order that waits failed at ${toClock(failedAt)}.`,
    ])
    call('placeOrder', 'ok')
    clock.ms += 1_000
    await diagnostics.flush()
    expect(await readText('/')).to.include('Responds again')
    await placeOrder(db, order, 3, 'SO-9', clock.ms)
    expectAll((await readIncident(beganAt)).page, [
      `An order that waited was placed at ${toClock(clock.ms)}.`,
      `What to do: Nothing is urgent: accounting has worked since ${toClock(clock.ms)} at the latest.`,
    ])
  })
})
