import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { toDrillConfig } from '../../../src/cli/restore-drill/restore-drill-command.ts'
import { parseConfig } from '../../../src/config/parse-config-file.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { issueApiKey } from '../../../src/storage/keys/api-keys.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { stores } from '../../support/stores.ts'

const run = promisify(execFile)
const AT = '2026-05-01T10:00:00.000Z'

describe('the server of a restore drill', () => {
  it('sends no emails, spans and messages about outages, and leaves the systems alone', () => {
    const file = `
mail: { url: "smtp://mail.example", from: "Acme <shop@acme.example>" }
notifications: [{ mail: "Acme IT <it@acme.example>" }]
tracing: { endpoint: "http://127.0.0.1:4318/v1/traces" }
merchants: { acme: { name: Acme, currency: JMD, time_zone: UTC } }`
    const config = parseConfig(file, 'forecourt.yaml', adapters, {})
    expect(config).to.include.keys('mail', 'notifications', 'tracing')
    const drill = toDrillConfig(config, { folder: '/drill', store: 'sqlite:/drill/forecourt.db' })
    expect(drill).to.not.have.any.keys('mail', 'notifications', 'tracing')
    expect(drill).to.include({ dataDirectory: '/drill', feedIntervalMs: null, metrics: null, operations: null })
    expect(drill.listen).to.deep.equal({ host: '127.0.0.1', port: 0 })
  })
})

for (const store of stores()) {
  describe(`forecourt restore-drill: ${store.name}`, () => {
    const host = createCommandHost()
    let cwd: string
    let db: Database
    let backup: string

    before(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'forecourt-restore-'))
      db = await store.open()
      const merchants = 'merchants: { acme: { name: Acme, currency: JMD, time_zone: UTC } }'
      await writeFile(join(cwd, 'forecourt.yaml'), `store: "${store.url()}"\nlisten: { port: 1 }\n${merchants}\n`)
      await issueApiKey(db, { merchant: 'acme', kind: 'secret', mode: 'live' })
      const order = {
        order_id: 'ord_1',
        cart_id: 'cart_1',
        customer_id: 'C-1',
        draft: '{}',
        placed: null,
        status: 'PENDING',
      } as const
      const state = { told: 0, attempts: 1, leased_until: AT, created_at: AT, updated_at: AT }
      await db
        .insertInto('orders')
        .values({ ...order, ...state, tenant_id: 'acme', mode: 'live' })
        .execute()
      backup = join(cwd, 'backup')
      if (store.name === 'SQLite') await host.run(['backup', '--to', backup], { cwd })
      else await run('pg_dump', ['-Fc', '-f', backup, store.url().split('?')[0]!])
    })
    after(async () => {
      host.stop()
      await db.destroy()
      await store.close()
      await rm(cwd, { recursive: true, force: true })
    })

    it('restores a backup, starts a server on it and says what it has', async () => {
      const database = store.name === 'SQLite' ? [] : ['--database', await store.createBare()]
      const { code, out, err } = await host.run(['restore-drill', backup, ...database, '--json'], { cwd })
      expect([code, err]).to.deep.equal([0, ''])
      const report = JSON.parse(out)
      expect(report).to.deep.include({ keys: 1, shoppers: 0, orders: 1, newestOrder: AT, health: 'ok' })
      expect(report.readySeconds).to.be.at.least(report.restoredSeconds)
      // The shop is as it was.
      const { leased_until } = await db.selectFrom('orders').select('leased_until').executeTakeFirstOrThrow()
      expect(leased_until).to.equal(AT)
      if (store.name === 'SQLite') return
      const restored = await openDatabase(store.url())
      const kept = await restored.selectFrom('orders').select('leased_until').executeTakeFirstOrThrow()
      await restored.destroy()
      expect(kept.leased_until).to.match(/^9999-/)
    })

    it('refuses a backup that it cannot restore', async () => {
      const missing = await host.run(['restore-drill', join(cwd, 'none')], { cwd })
      expect([missing.code, missing.err]).to.deep.equal([2, `There is no backup at ${join(cwd, 'none')}\n`])
      await writeFile(join(cwd, 'damaged'), 'not a backup')
      const unknown = await host.run(['restore-drill', join(cwd, 'damaged')], { cwd })
      expect(unknown.code).to.equal(2)
      expect(unknown.err).to.match(
        /^This is not a SQLite file\. To restore a file of pg_dump -Fc, name an empty database/,
      )
    })
  })
}
