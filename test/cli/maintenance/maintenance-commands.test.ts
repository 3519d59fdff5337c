import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { createCommandHost } from '../../support/command-host.ts'

describe('forecourt maintenance', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  const run = (...args: string[]) => host.run(['maintenance', ...args], { cwd, env: { FORECOURT_DATA: cwd } })
  const store = () => openDatabase(`sqlite:${join(cwd, 'forecourt.db')}`)

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-maintenance-'))
    await (await store()).destroy()
  })
  after(async () => {
    host.stop()
    await rm(cwd, { recursive: true, force: true })
  })

  it('begins, lists and ends it, and says so in the audit log', async () => {
    const started = await run('start', 'demo', 'accounting', '--until', '90m', '--json')
    const { until, by, ...of } = JSON.parse(started.out) as Record<string, string>
    expect(of).to.deep.equal({ merchant: 'demo', mode: 'live', system: 'accounting' })
    expect(by).to.match(/^\S+ \(command line\)$/)
    expect((await run('list')).out).to.include(`demo      live  accounting  ${until}  ${by}`)
    expect((await run('end', 'demo', 'accounting')).out).to.equal(
      'The maintenance of accounting of demo (live) has ended.\n',
    )
    expect((await run('list')).out).to.equal('No system is under maintenance.\n')
    const again = await run('end', 'demo', 'accounting')
    expect([again.code, again.err]).to.deep.equal([2, 'accounting of demo (live) is not under maintenance\n'])
    await using db = await store()
    const entries = await listAuditLog(db, { limit: 9 })
    expect(entries.map(({ action }) => action)).to.have.members(['maintenance.start', 'maintenance.end'])
  })
})
