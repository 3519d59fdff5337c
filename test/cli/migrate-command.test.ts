import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { isPostgres } from '../../src/config/store-address.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { listApiKeys } from '../../src/storage/keys/api-keys.ts'
import { migrateStore } from '../../src/storage/migrate-store.ts'
import * as keysAndSessions from '../../src/storage/migrations/001-keys-and-sessions.ts'
import { createPostgresDialect } from '../../src/storage/postgres/postgres-dialect.ts'
import { createSqliteDialect } from '../../src/storage/sqlite/sqlite-dialect.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { createReleaseStore, openUnchecked } from '../storage/migrations/release-store.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { createCommandHost } from '../support/command-host.ts'
import { stores } from '../support/stores.ts'

const first = '001-keys-and-sessions'
/** A key as that release stored it. */
const key = {
  key_id: 'key_1',
  digest: '0'.repeat(64),
  hint: 'svc_live_pub_…',
  tenant_id: 'acme',
  kind: 'publishable',
  mode: 'live',
  scopes: '[]',
  allowed_origins: '[]',
  rate_limit_per_minute: 600,
  created_at: '2026-01-01T00:00:00.000Z',
} as const

/** As a release left it that had the first migration alone, with a key in it. */
async function createFirstReleaseStore(url: string): Promise<void> {
  const dialect = isPostgres(url)
    ? createPostgresDialect(url, 'serving')
    : createSqliteDialect(url.slice('sqlite:'.length), { ms: 0 })
  const db = new Kysely<Tables>({ dialect })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ [first]: keysAndSessions }) } })
  expect((await migrator.migrateToLatest()).error).to.equal(undefined)
  await db.insertInto('api_keys').values(key).execute()
  await db.destroy()
}

async function renameMigration(url: string, name: string, to: string): Promise<void> {
  const dialect = isPostgres(url)
    ? createPostgresDialect(url, 'serving')
    : createSqliteDialect(url.slice('sqlite:'.length), { ms: 0 })
  const db = new Kysely<{ kysely_migration: { name: string } }>({ dialect })
  await db.updateTable('kysely_migration').set({ name: to }).where('name', '=', name).execute()
  await db.destroy()
}

async function openStore(url: string): Promise<string> {
  try {
    await (await openDatabase(url)).destroy()
  } catch (error) {
    return (error as Error).message
  }
  return 'opened'
}

for (const store of stores()) {
  describe(`forecourt migrate: ${store.name}`, function () {
    // Several processes for one test.
    this.timeout(300_000)
    const host = createCommandHost()
    let cwd: string

    beforeEach(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'forecourt-migrate-'))
      const url = await store.createBare()
      const merchants = 'merchants: { acme: { name: A, currency: JMD, time_zone: UTC, sandbox: {} } }'
      await writeFile(join(cwd, 'forecourt.yaml'), `store: "${url}"\n${merchants}\n`)
    })
    afterEach(async () => {
      await store.close()
      await rm(cwd, { recursive: true, force: true })
    })
    after(() => host.stop())

    it('creates all tables of an empty store, and does nothing the second time', async () => {
      const made = await host.run(['migrate', '--json'], { cwd })
      expect([made.code, made.err]).to.deep.equal([0, ''])
      expect(JSON.parse(made.out).applied).to.include(first).and.have.length.above(1)
      const again = await host.run(['migrate'], { cwd })
      expect(again.out)
        .to.match(/was already up to date\.\n$/)
        .and.not.match(/Applied/)
      expect(await openStore(store.url())).to.equal('opened')
    })

    it('lists with --check what it would apply, and applies nothing', async () => {
      await createFirstReleaseStore(store.url())
      const check = async () => {
        const { code, out, err } = await host.run(['migrate', '--check', '--json'], { cwd })
        expect(err).to.equal('')
        const { missing, later } = JSON.parse(out)
        return { code, missing, later }
      }
      const before = await check()
      expect(before).to.deep.include({ code: 1, later: [] })
      expect(before.missing).to.include('002-shoppers-carts-orders').and.not.include(first)
      expect(await check()).to.deep.equal(before)
      const printed = await host.run(['migrate', '--check'], { cwd })
      expect(printed.out).to.match(/^Missing 002-shoppers-carts-orders\n[\s\S]* is not up to date\. /)
      expect(JSON.parse((await host.run(['migrate', '--json'], { cwd })).out).applied).to.deep.equal(before.missing)
      expect(await check()).to.deep.equal({ code: 0, missing: [], later: [] })
    })

    it('migrates a store of an earlier release, and keeps its rows', async () => {
      await createFirstReleaseStore(store.url())
      const { code, out } = await host.run(['migrate'], { cwd })
      expect(code).to.equal(0)
      expect(out)
        .to.match(/^Applied 002-/)
        .and.not.include(first)
      const db = await openDatabase(store.url())
      const [kept, ...others] = await listApiKeys(db)
      expect(others).to.deep.equal([])
      expect(kept).to.include({ key_id: 'key_1', rate_limit_per_minute: 600, rate_limit_per_client: 60 })
      expect(await db.selectFrom('orders').selectAll().execute()).to.deep.equal([])
      await db.destroy()
    })

    it('applies each migration once when several processes run it at once', async () => {
      const ran = await Promise.all(Array.from({ length: 4 }, () => runCommand(['migrate', '--json'], { cwd })))
      expect(ran.map(({ code, err }) => [code, err])).to.deep.equal(Array(4).fill([0, '']))
      const applied = ran.flatMap(({ out }) => JSON.parse(out).applied as string[])
      expect(applied.filter((name) => name === first)).to.deep.equal([first])
      expect(new Set(applied).size).to.equal(applied.length)
    })

    it('refuses a store with an unknown migration', async () => {
      await createFirstReleaseStore(store.url())
      await renameMigration(store.url(), first, '000-alien')
      expect(await openStore(store.url())).to.match(
        /(created by a release that this one cannot upgrade|Run: node \S+ migrate)/,
      )
      const { code, err } = await host.run(['migrate'], { cwd })
      expect(code).to.equal(1)
      expect(err).to.include('created by a release that this one cannot upgrade')
    })

    it('opens a store with later migrations', async () => {
      await migrateStore(store.url())
      const db = await openDatabase(store.url())
      await db
        .insertInto('kysely_migration' as never)
        .values({ name: '999-later', timestamp: '2999-01-01T00:00:00.000Z' } as never)
        .execute()
      await db.destroy()
      expect(await openStore(store.url())).to.equal('opened')
      const { code, out } = await host.run(['migrate', '--check'], { cwd })
      expect(code).to.equal(0)
      expect(out).to.match(/^Applied by a later release: 999-later\n.* is up to date\.\n$/)
    })

    if (store.name === 'SQLite')
      it('is not needed: opening the store migrates it', async () => {
        await createFirstReleaseStore(store.url())
        expect(await Promise.all([1, 2, 3, 4].map(() => openStore(store.url())))).to.deep.equal(Array(4).fill('opened'))
      })
    else {
      it('is required before an empty or older store can be opened', async () => {
        expect(await openStore(store.url())).to.match(/cannot be used: it has no tables yet\. Run: node \S+ migrate$/)
        await createFirstReleaseStore(store.url())
        expect(await openStore(store.url()))
          .to.match(/lacks 002-.*Run: node \S+ migrate/)
          .and.not.include(first)
        const server = await runCommand(['serve'], { cwd, env: { PORT: '0' } })
        expect([server.code, server.out]).to.deep.equal([1, ''])
        expect(server.err).to.match(/Run: node \S+ migrate/)
        expect(server.err).to.not.include(new URL(store.url()).password)
      })

      it('says what it waits for while another program holds a table', async () => {
        await createReleaseStore(store.url())
        const other = openUnchecked(store.url())
        const transaction = await other.startTransaction().execute()
        await sql`lock table api_keys in access share mode`.execute(transaction)
        const { child, ended } = startCommand(['migrate', '--json'], { cwd })
        const [line] = await once(child.stderr!, 'data')
        await transaction.rollback().execute()
        await other.destroy()
        const { code, out, err } = await ended
        expect([code, err]).to.deep.equal([0, String(line)])
        expect(err).to.match(/^Migration 0\d\d-[a-z-]+ waits for a table .* pg_stat_activity .*\n$/)
        expect(JSON.parse(out).applied).to.have.length.above(0)
      })
    }
  })
}
