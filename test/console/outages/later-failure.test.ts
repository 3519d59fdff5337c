import { expect } from 'chai'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { MINUTE_MS, toClock } from './outage-times.ts'
import { recordRefusingLedger, refusingLedger } from './record-order-outages.ts'
import { systemOutages } from './system-outage-cases.ts'

const slowLedger = systemOutages.find(({ name }) => name === 'the ledger is slow, and its older taxes are served')!

describe('an outage that is over, of a system that has failed again since', () => {
  let outages: OutageConsole
  let workedAt: string
  let failedAt: string

  before(async () => {
    outages = await openOutageConsole()
    await outages.recordOutage(slowLedger)
    const { clock } = outages
    workedAt = toClock(clock.ms + 10_000)
    await outages.recover(slowLedger)
    clock.ms += 10 * MINUTE_MS
    failedAt = toClock(clock.ms)
    await recordRefusingLedger(outages)
  })
  after(() => outages[Symbol.asyncDispose]())

  async function readFirst(): Promise<{ text: string; html: string }> {
    const row = await outages.db
      .selectFrom('incidents')
      .select('incident_id')
      .where('section', '=', 'tax')
      .orderBy('began_at')
      .executeTakeFirstOrThrow()
    const path = `/incidents/${row.incident_id}`
    const { text: html } = await outages.testConsole.get(await outages.signIn(), path)
    return { html, text: await outages.readText(path) }
  }

  it('says since when, and links to what goes on', async () => {
    const { text, html } = await readFirst()
    expect(text).to.include(
      `What to do: This incident is over: accounting worked again at ${workedAt} at the latest. But accounting has failed again since ${failedAt} (connection refused): Checkout (ongoing)`,
    )
    expect(text).to.not.match(/Nothing is urgent|has worked since/)
    expect(html).to.match(/<a href="\/incidents\/inc_\w+">Checkout \(ongoing\)<\/a>/)
  })

  it('does not say that it goes on when that is over too', async () => {
    await outages.recover(refusingLedger)
    const { text } = await readFirst()
    expect(text).to.include(`But accounting failed again at ${failedAt} (connection refused): Checkout (ended)`)
    expect(text).to.not.include('Nothing is urgent')
  })

  it('names the next failure, not the last one, and still says what to do', async () => {
    const { clock } = outages
    clock.ms += 10 * MINUTE_MS
    await outages.recordOutage(slowLedger)
    await outages.recover(slowLedger)
    await outages.signIn()
    const { text } = await readFirst()
    expect(text).to.include(
      `What to do: This incident is over: accounting worked again at ${workedAt} at the latest. Within a day, ask whoever runs accounting of Acme Parts whether the cause below was removed. If it was not, the failure can return. But accounting failed again at ${failedAt} (connection refused): Checkout (ended)`,
    )
  })
})
