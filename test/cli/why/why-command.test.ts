import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import {
  callTrace,
  createDiagnosticsSetup,
  finishedRequest,
  START_MS,
  timedOutSection,
} from '../../diagnostics/diagnostics-setup.ts'
import { createCommandHost } from '../../support/command-host.ts'

const page = `Degraded: Demo Auto Parts (live), 21 Nov 2026, 09:05:00 GMT-5 (America/Jamaica)
The response was 200 after 705 ms (deadline 2,500 ms). Prices (pricing): no response in 700 ms.

Id              AbC-1f
Request         GET /v1/products/BP-1
What was asked  Product page (getProduct)
Status          200
Cache           not in the cache
Key             key_1
Process         one

SECTION         SYSTEM   STATE    DURATION  REASON
Prices (price)  pricing  Missing  700 ms    No response in 700 ms
                                            No complete response in time (downstream_timeout)
                                            The system or the network to it is slow, overloaded or hung. Check its load and its log.
                                            Incident: /incidents/inc_x on the operations pages

CALL           STATE   DURATION  START       DETAILS
pricing price  Failed  700 ms    after 3 ms  no response in time
`.split('\n')

describe('forecourt why', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  const why = (...args: string[]) => host.run(['why', ...args], { cwd, env: { FORECOURT_DATA: cwd } })

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-why-'))
    await using db = await openDatabase(`sqlite:${join(cwd, 'forecourt.db')}`)
    const setup = createDiagnosticsSetup()
    await using process = setup.createProcess(db)
    process.recordRequest(
      finishedRequest({
        requestId: 'AbC-1f',
        tenant: 'demo',
        ms: 705,
        mode: 'live',
        sections: [timedOutSection('price', { kind: 'no response in 700 ms' })],
        calls: [callTrace({ at: START_MS - 702, outcome: 'timeout', ms: 700, cause: 'no response in time' })],
      }),
    )
    await process.flush()
    expect(setup.errors).to.deep.equal([])
  })
  after(async () => {
    host.stop()
    await rm(cwd, { recursive: true, force: true })
  })

  it('prints what the page says, for an id in any letter case and with spaces', async () => {
    const { code, out, err } = await why('abc- 1 F')
    expect([code, err]).to.deep.equal([0, ''])
    expect(out.replace(/inc_\w{16}/, 'inc_x').split('\n')).to.deep.equal(page)
  })

  it('prints JSON', async () => {
    const { out } = await why('abc-1f', '--json')
    const { id, records } = JSON.parse(out) as { id: string; records: Record<string, unknown>[] }
    expect(id).to.equal('abc-1f')
    expect(records).to.have.lengthOf(1)
    expect(records[0]).to.include({ requestId: 'AbC-1f', merchantName: 'Demo Auto Parts', mode: 'live' })
    expect(records[0]).to.have.keys(
      ...['requestId', 'at', 'timeZone', 'merchantName', 'mode', 'pill', 'summary', 'facts', 'problem', 'problemCause'],
      ...['sections', 'calls', 'whomToCall'],
    )
  })

  it('prints times in another time zone', async () => {
    const { out } = await why('abc-1f', '--time-zone', 'europe/berlin')
    expect(out.split('\n')[0]).to.equal('Degraded: Demo Auto Parts (live), 21 Nov 2026, 15:05:00 CET (Europe/Berlin)')
    const { code, err } = await why('abc-1f', '--time-zone', 'Mars')
    expect([code, err]).to.deep.equal([2, '--time-zone takes a time zone such as America/Jamaica or UTC, not "Mars"\n'])
  })

  it('says what else it is, and how an id that begins with a dash is written', async () => {
    const number = await why('SO-200001')
    expect([number.code, number.out]).to.deep.equal([2, ''])
    expect(number.err).to.match(/^No recorded request has the id SO-200001, which looks like the number of an order/)
    const dash = await why('-abc')
    expect([dash.code, dash.err]).to.match(
      /^2,error: unknown option '-abc'\n.* write: node .*forecourt\.js why -- -abc\n/,
    )
    expect((await why('--', '-abc')).err).to.match(/^There is no record of a request with the id -abc\./)
  })

  it('says which requests are recorded, and for how long, when it does not know the id', async () => {
    const { code, out, err } = await why('nobody')
    expect([code, out]).to.deep.equal([2, ''])
    expect(err)
      .to.match(/^There is no record of a request with the id nobody\. /)
      .and.include('\nRecords are stored for 30 days.')
      .and.include('\n- degraded: ')
  })
})
