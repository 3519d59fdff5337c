import { expect } from 'chai'
import { Kysely, sql } from 'kysely'
import { analyzeCatalog, analyzeImports } from '../../../src/storage/analyze-tables.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { findApiKey, issueApiKey, listApiKeys } from '../../../src/storage/keys/api-keys.ts'
import { migrateStore } from '../../../src/storage/migrate-store.ts'
import { createPooledPostgresDialect } from '../../../src/storage/postgres/postgres-dialect.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { transact } from '../../../src/storage/transact.ts'
import { runPostgresStatement, stores } from '../../support/stores.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

const request = { merchant: 'acme', kind: 'secret', mode: 'live' } as const

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: Error) => error,
  )

for (const store of stores().filter(({ name }) => name === 'PostgreSQL')) {
  describe('a PostgreSQL store', () => {
    afterEach(() => store.close())

    it('returns counts as numbers, as SQLite does', async () => {
      const db = await store.open()
      const { rows } = await sql`select count(*) as count, sum(1) as sum`.execute(db)
      expect(rows).to.deep.equal([{ count: 1, sum: 1 }])
    })

    it('works for a role that cannot change tables, as docs/store.md sets it up', async () => {
      await store.open()
      const role = new URL(store.url()).pathname.slice(1)
      const password = 'p@ss/w:rd?#'
      const adminUrl = store.url()
      await runPostgresStatement(adminUrl, `create role ${role} login password '${password}'`)
      try {
        await runPostgresStatement(adminUrl, `grant usage on schema public to ${role}`)
        await runPostgresStatement(
          adminUrl,
          `grant select, insert, update, delete on all tables in schema public to ${role}`,
        )
        const url = new URL(adminUrl)
        url.username = role
        url.password = encodeURIComponent(password)
        const db = await openDatabase(url.href)
        const { key, record } = await issueApiKey(db, request)
        expect(await findApiKey(db, key)).to.deep.equal(record)
        await analyzeCatalog(db)
        await analyzeImports(db)
        expect(await outcomeOf(sql`drop table api_keys`.execute(db))).to.be.instanceOf(Error)
        await db.destroy()
      } finally {
        await runPostgresStatement(adminUrl, `drop owned by ${role}; drop role ${role}`)
      }
    })

    it('analyzes tables for longer than other statements may take', async () => {
      const url = new URL(await store.createBare())
      url.search = ''
      const slow = 'create function analyze_imports() returns void language sql as $$ select pg_sleep(2.5) $$'
      await runPostgresStatement(url.href, slow)
      // Two seconds after another statement, the connection counts as dead.
      const limits = { connections: 1, connectTimeoutMs: 30_000, statementTimeoutMs: 1_000 }
      const db = new Kysely<Tables>({ dialect: createPooledPostgresDialect(url.href, limits) })
      // At once, except on a machine that stalls for as long as the statement timeout.
      await until('the tables are analyzed', async () => (await outcomeOf(analyzeImports(db))) === 'ok')
      expect(await outcomeOf(sql`select pg_sleep(60)`.execute(db))).to.be.instanceOf(Error)
      await db.destroy()
    })

    it('never shows the password in an error', async () => {
      const db = await store.open()
      await db.destroy()
      const wrongPassword = new URL(store.url())
      wrongPassword.password = 'wr0ng-s3cret'
      const wrongPort = new URL(wrongPassword)
      wrongPort.port = '1'
      const wrongDatabase = new URL(wrongPassword)
      wrongDatabase.pathname = '/there_is_no_such_database'
      for (const url of [wrongPassword, wrongPort, wrongDatabase]) {
        for (const use of [openDatabase, migrateStore]) {
          const error = (await outcomeOf(use(url.href))) as Error
          expect(error).to.be.instanceOf(Error)
          expect(error.message).to.match(/^The store postgres:\/\/postgres@127\.0\.0\.1:\d+\/\w+ cannot be used: \w+/)
          for (let at: unknown = error; at instanceof Error; at = at.cause)
            expect(`${at.stack}${JSON.stringify(at)}`).to.not.include('wr0ng-s3cret')
        }
      }
    })

    it('leaves a server that a failover has made read-only, and finds the one that takes its place', async () => {
      const url = await store.createMigrated()
      const database = new URL(url).pathname.slice(1)
      const alter = (change: string) =>
        runPostgresStatement(process.env.FORECOURT_TEST_POSTGRES!, `alter database ${database} ${change}`)
      await alter('set default_transaction_read_only = on')
      // Its connections are opened while the server is read-only, and stay so.
      const db = await openDatabase(url)
      const write = () => outcomeOf(issueApiKey(db, request))
      expect(await write()).to.include({ code: '25006' })
      await alter('reset default_transaction_read_only')
      expect(await write()).to.equal('ok')
      await db.destroy()
    })

    describe('behind a broken network', () => {
      let proxy: TcpProxy
      let db: Database

      beforeEach(async () => {
        await (await store.open()).destroy()
        const { hostname, port } = new URL(store.url())
        proxy = await startTcpProxy(hostname, Number(port))
        db = await openDatabase(proxiedUrl())
      })
      afterEach(async () => {
        await proxy[Symbol.asyncDispose]()
        await db.destroy()
      })

      function proxiedUrl(): string {
        const url = new URL(store.url())
        url.hostname = '127.0.0.1'
        url.port = String(proxy.port)
        return url.href
      }

      it('is used again when the network is back, without a restart', async () => {
        await Promise.all(Array.from({ length: 10 }, () => issueApiKey(db, request)))
        await proxy.cut()
        expect(await outcomeOf(listApiKeys(db))).to.be.instanceOf(Error)
        await proxy.restore()
        expect(await listApiKeys(db)).to.have.lengthOf(10)
      })

      it('rolls back a transaction that was interrupted between two statements', async () => {
        const outcome = await outcomeOf(
          transact(db, async (transaction) => {
            await issueApiKey(transaction, request)
            await proxy.cut()
            await proxy.restore()
            await issueApiKey(transaction, request)
          }),
        )
        expect(outcome).to.be.instanceOf(Error)
        expect(await listApiKeys(db)).to.deep.equal([])
      })

      it('may terminate every connection', async () => {
        await Promise.all(Array.from({ length: 10 }, () => issueApiKey(db, request)))
        await runPostgresStatement(
          store.url(),
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        // Each of ten connections may be found dead before a new one is made.
        const outcomes: unknown[] = []
        while (outcomes.at(-1) !== 'ok' && outcomes.length <= 10) outcomes.push(await outcomeOf(listApiKeys(db)))
        expect(outcomes.at(-1)).to.equal('ok')
      })

      it('does not reuse a connection that got no reply', async () => {
        const limits = { connections: 1, connectTimeoutMs: 30_000, statementTimeoutMs: 1_000 }
        const single = new Kysely<never>({ dialect: createPooledPostgresDialect(proxiedUrl(), limits) })
        const query = () => outcomeOf(sql`select 1`.execute(single))
        await until('a connection is open', async () => (await query()) === 'ok')
        proxy.silence()
        expect(await query()).to.be.instanceOf(Error)
        // At once, except on a machine that stalls for as long as the statement timeout.
        await until('another connection is used', async () => (await query()) === 'ok')
        await single.destroy()
      })

      it('ends the transaction of a silent machine before others give up waiting for its locks', async () => {
        // Half of it is the time after which PostgreSQL gives up the silent one. The other half is for a machine that stalls.
        const limited = (url: string) => `${url}?statement_timeout=16000`
        const dead = await openDatabase(limited(proxiedUrl().split('?')[0]!))
        const waiting = await openDatabase(limited(store.url().split('?')[0]!))
        const lock = sql`select pg_advisory_xact_lock(1)`
        let waiter: Promise<unknown> | undefined
        const holder = outcomeOf(
          dead.transaction().execute(async (transaction) => {
            await lock.execute(transaction)
            waiter = outcomeOf(lock.execute(waiting))
            // Its last statement ends after the other one has begun to wait.
            await sql`select pg_sleep(1)`.execute(transaction)
            proxy.silence()
            await sql`select 1`.execute(transaction)
          }),
        )
        await until('the lock is held', () => waiter !== undefined)
        expect(await waiter).to.equal('ok')
        expect(await holder).to.be.instanceOf(Error)
        await Promise.all([dead.destroy(), waiting.destroy()])
      })

      it('ends a statement by the timeout in the URL', async () => {
        const url = new URL(store.url())
        url.searchParams.set('statement_timeout', '1000')
        const limited = await openDatabase(url.href)
        await until('the server has ended the statement', async () => {
          const { code } = (await outcomeOf(sql`select pg_sleep(60)`.execute(limited))) as { code?: string }
          return code === '57014'
        })
        await limited.destroy()
      })

      it('ends a statement that takes too long', async () => {
        const limits = { connections: 1, connectTimeoutMs: 30_000, statementTimeoutMs: 1_000 }
        const url = new URL(store.url())
        url.search = ''
        const limited = new Kysely<never>({ dialect: createPooledPostgresDialect(url.href, limits) })
        await until('the server has ended the statement', async () => {
          const { code } = (await outcomeOf(sql`select pg_sleep(60)`.execute(limited))) as { code?: string }
          return code === '57014'
        })
        await until('another statement works', async () => (await outcomeOf(sql`select 1`.execute(limited))) === 'ok')
        await limited.destroy()
      })
    })
  })
}
