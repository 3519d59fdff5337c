import { expect } from 'chai'
import { expectAll } from './expect-on-page.ts'
import { recordFailingEndpoint, recoverEndpoint } from './failing-webhook-endpoint.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { MINUTE_MS, toClock } from './outage-times.ts'

const ACME = 'Whom to call about Acme Parts: Acme IT desk, +1 876 555-0102'

describe('a webhook endpoint that has failed since its last success, for less than 15 minutes', () => {
  let outages: OutageConsole
  let since: string

  before(async () => {
    outages = await openOutageConsole()
    const endpoint = await recordFailingEndpoint(outages)
    const at = outages.clock.ms - 12 * MINUTE_MS
    since = toClock(at)
    await outages.db
      .updateTable('subscriptions')
      .set({ failing_since: new Date(at).toISOString(), consecutive_failures: 11 })
      .where('subscription_id', '=', endpoint)
      .execute()
  })
  after(() => outages[Symbol.asyncDispose]())

  it('does not count as OK, and has its failures, their beginning and whom to call on Now', async () => {
    const now = await outages.readText('/')
    expectAll(now, [
      'but 1 webhook endpoint has failed since its last success',
      'Warning Webhooks: 1 endpoint has only failed since the last success, and not for 15 minutes yet:',
      `https://erp.acme.example/… of Acme Parts (live) has failed 11 times in a row since ${since}; it counts as failing after 15 minutes. ${ACME}`,
    ])
    expect(now).to.not.match(/OK No webhook endpoint|has been failing for 15 minutes/)
  })

  it('has the same on Webhooks', async () => {
    expectAll(await outages.readText('/webhooks'), [
      '0 failing 1 with only failures since the last success 0 disabled',
      `Latest attempts failed 11 failed attempts in a row, since ${since}; it counts as failing after 15 minutes`,
    ])
  })

  it('counts as OK after the next success', async () => {
    await recoverEndpoint(outages)
    outages.clock.ms += MINUTE_MS
    expect(await outages.readText('/'))
      .to.include('OK No webhook endpoint has been failing for 15 minutes.')
      .and.not.include('since its last success')
  })
})
