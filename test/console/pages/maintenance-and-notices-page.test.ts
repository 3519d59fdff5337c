import { expect } from 'chai'
import { insertOutageNotice } from '../../../src/storage/diagnostics/outage-notices.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import { addCircuitHold } from '../../../src/storage/operators/holds-and-purges.ts'
import { startMaintenance } from '../../../src/storage/operators/system-maintenance.ts'
import { expectAll } from '../outages/expect-on-page.ts'
import { type OutageConsole, openOutageConsole } from '../outages/outage-console.ts'
import { HOUR_MS } from '../outages/outage-times.ts'

const acme = { merchant: 'acme', mode: 'live' } as const

describe('the page of maintenance and notices', () => {
  let outages: OutageConsole

  beforeEach(async () => {
    outages = await openOutageConsole()
  })
  afterEach(() => outages[Symbol.asyncDispose]())

  it('says to support staff that nothing is planned, and who can plan it', async () => {
    expectAll(await outages.readText('/notices'), [
      'Your account is read-only. An account with the role operator can plan or end maintenance.',
      'In effect now No system is under maintenance, and no operator has stopped or forced calls.',
      'History No maintenance has been planned, and no calls have been stopped or forced.',
      'Notifications of outages No notification has been sent or is due. The configuration of Forecourt names who is notified of outages.',
    ])
  })

  it('shows what is under way, what shoppers see, what was planned before, and who was notified', async () => {
    const { db, clock, readText } = outages
    const untilMs = clock.ms + HOUR_MS
    await startMaintenance(db, { ...acme, system: 'accounting', untilMs, by: 'anna' }, clock.ms)
    const hold = { state: 'closed', untilMs, by: 'ben', now: clock.ms } as const
    await addCircuitHold(db, { ...acme, circuit: 'pricing' }, hold)
    await addCircuitHold(db, { ...acme, circuit: 'inventory' }, { ...hold, state: null, untilMs: clock.ms })
    const entry = { operator: 'anna', role: 'operator', outcome: 'done', address: null } as const
    const target = { ...acme, circuit: 'accounting', until: '2026-11-21T10:05' }
    await writeAuditEntry(db, { ...entry, action: 'maintenance.start', target }, clock.ms)
    const refused = { ...entry, outcome: 'refused', action: 'breaker.hold', target } as const
    await writeAuditEntry(db, refused, clock.ms)
    const at = new Date(clock.ms).toISOString()
    const times = { began_at: at, seen_at: at, due_at: at, document: '{}' }
    const notice = { channel: 'c', target: 'https://chat.example', system: 'pricing', state: 'began_sent' } as const
    await insertOutageNotice(db, { ...notice, ...times })
    const page = await readText('/notices')
    expectAll(page, [
      'accounting Acme Parts (live) Planned maintenance anna 10:05:00 GMT-5',
      'pricing Acme Parts (live) Calls forced ben 10:05:00 GMT-5 Shoppers may wait for a system that fails.',
      '09:05:00 GMT-5 Begin planned maintenance: accounting of Acme Parts (live) by anna',
      'pricing 09:05:00 GMT-5 https://chat.example Sent –',
    ])
    expect(page).to.not.include('inventory').and.not.include('Stop or force calls:')
    expectAll(await readText('/incidents'), [
      'Maintenance and notices lists earlier notifications and planned maintenance.',
    ])
  })

  it('leaves out the merchants of another Forecourt on the same store', async () => {
    const { db, clock, readText } = outages
    const other = { merchant: 'other', mode: 'live', circuit: 'pricing' } as const
    await addCircuitHold(db, other, { state: 'open', untilMs: clock.ms + HOUR_MS, by: 'zoe', now: clock.ms })
    const entry = { operator: 'zoe', role: 'operator', outcome: 'done', address: null } as const
    await writeAuditEntry(db, { ...entry, action: 'breaker.hold', target: other }, clock.ms)
    expect(await readText('/notices')).to.not.match(/zoe|other \(live\)/)
  })

  it('is also found at other addresses', async () => {
    const { testConsole, signIn } = outages
    const browser = await signIn()
    for (const path of ['/maintenance', '/notifications']) {
      const { status, headers } = await testConsole.get(browser, path)
      expect([status, headers.location], path).to.deep.equal([303, '/notices'])
    }
  })
})
