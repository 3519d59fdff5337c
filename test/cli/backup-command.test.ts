import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { issueApiKey, listApiKeys } from '../../src/storage/keys/api-keys.ts'
import { transact } from '../../src/storage/transact.ts'
import { runCommand } from '../support/command.ts'
import { createCommandHost } from '../support/command-host.ts'

const request = { kind: 'secret', mode: 'live' } as const

describe('forecourt backup', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  let db: Database

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-backup-'))
    db = await openDatabase(`sqlite:${join(cwd, 'data', 'forecourt.db')}`)
  })
  afterEach(async () => {
    await db.destroy()
    await rm(cwd, { recursive: true, force: true })
  })
  after(() => host.stop())

  /** Two keys in one transaction, so that half of one would show. */
  async function writePair(at: number): Promise<void> {
    await transact(db, async (transaction) => {
      await issueApiKey(transaction, { ...request, merchant: `pair-${at}` })
      await issueApiKey(transaction, { ...request, merchant: `pair-${at}` })
    })
  }

  it('makes a consistent copy of a store during writes', async () => {
    for (let at = 0; at < 200; at++) await writePair(at)
    const copying = runCommand(['backup', '--to', 'copy.db', '--json'], { cwd })
    let over = false
    void copying.then(() => {
      over = true
    })
    let written = 200
    while (!over) {
      await writePair(written++)
      await new Promise(setImmediate)
    }
    const { code, out, err } = await copying
    expect(written).to.be.above(200)
    expect([code, err]).to.deep.equal([0, ''])
    const { to } = JSON.parse(out)
    expect((await stat(to)).mode & 0o777).to.equal(0o600)
    expect((await readdir(cwd)).filter((name) => name.includes('partial'))).to.deep.equal([])

    const restored = await openDatabase(`sqlite:${to}`)
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(restored)
    expect(rows).to.deep.equal([{ integrity_check: 'ok' }])
    const pairs = Map.groupBy(await listApiKeys(restored), ({ tenant_id }) => tenant_id)
    expect(pairs.size).to.be.within(200, written)
    expect([...pairs.values()].every((pair) => pair.length === 2)).to.equal(true)
    await issueApiKey(restored, { ...request, merchant: 'after' })
    await restored.destroy()
    expect(await listApiKeys(db)).to.have.lengthOf(2 * written)
  })

  it('never overwrites a file', async () => {
    await writeFile(join(cwd, 'here.db'), 'something else')
    const { code, out, err } = await host.run(['backup', '--to', 'here.db'], { cwd })
    expect([code, out]).to.deep.equal([1, ''])
    expect(err).to.match(/here\.db already exists/)
    expect((await stat(join(cwd, 'here.db'))).size).to.equal('something else'.length)
  })

  it('explains a failure, and leaves no file behind', async () => {
    const nowhere = await host.run(['backup', '--to', 'no/such/folder.db'], { cwd })
    expect([nowhere.code, nowhere.err]).to.deep.equal([1, nowhere.err])
    expect(nowhere.err).to.match(/could not be copied/)
    const empty = await mkdtemp(join(cwd, 'empty-'))
    const none = await host.run(['backup', '--to', 'copy.db'], { cwd: empty })
    expect(none.err).to.match(/There is no store at/)
    expect(await readdir(empty)).to.deep.equal([])
  })

  it('refers to pg_dump for PostgreSQL', async () => {
    const merchants = 'merchants: { acme: { name: A, currency: JMD, time_zone: UTC } }'
    await writeFile(join(cwd, 'forecourt.yaml'), `store: postgres://app:s3cret@db/shop\n${merchants}\n`)
    const { code, err } = await host.run(['backup', '--to', 'copy.db'], { cwd })
    expect(code).to.equal(2)
    expect(err).to.match(/pg_dump/)
  })
})
