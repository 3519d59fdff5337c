import { expect } from 'chai'
import { Kysely, sql } from 'kysely'
import { type Database, migrateStore, openDatabase } from '../../src/storage/database.ts'
import { findApiKey, issueApiKey, listApiKeys } from '../../src/storage/keys/api-keys.ts'
import { createPooledPostgresDialect } from '../../src/storage/postgres-dialect.ts'
import { transact } from '../../src/storage/transact.ts'
import { runPostgresStatement, stores } from '../support/stores.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const request = { merchant: 'acme', kind: 'secret', mode: 'live' } as const

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'well',
    (error: Error) => error,
  )

for (const store of stores().filter(({ name }) => name === 'PostgreSQL')) {
  describe('a PostgreSQL store', () => {
    afterEach(() => store.close())

    it('counts in numbers, as SQLite does', async () => {
      const db = await store.open()
      const { rows } = await sql`select count(*) as count, sum(1) as sum`.execute(db)
      expect(rows).to.deep.equal([{ count: 1, sum: 1 }])
    })

    it('is served to a role that may change no table, as docs/store.md sets it up', async () => {
      await store.open()
      const role = new URL(store.url()).pathname.slice(1)
      const password = 'p@ss/w:rd?#'
      const owner = store.url()
      await runPostgresStatement(owner, `create role ${role} login password '${password}'`)
      try {
        await runPostgresStatement(owner, `grant usage on schema public to ${role}`)
        await runPostgresStatement(
          owner,
          `grant select, insert, update, delete on all tables in schema public to ${role}`,
        )
        const url = new URL(owner)
        url.username = role
        url.password = encodeURIComponent(password)
        const db = await openDatabase(url.href)
        const { key, record } = await issueApiKey(db, request)
        expect(await findApiKey(db, key)).to.deep.equal(record)
        expect(await outcomeOf(sql`drop table api_keys`.execute(db))).to.be.instanceOf(Error)
        await db.destroy()
      } finally {
        await runPostgresStatement(owner, `drop owned by ${role}; drop role ${role}`)
      }
    })

    it('never shows its password when it cannot be used', async () => {
      const db = await store.open()
      await db.destroy()
      const wrong = new URL(store.url())
      wrong.password = 'wr0ng-s3cret'
      const nobody = new URL(wrong)
      nobody.port = '1'
      const nowhere = new URL(wrong)
      nowhere.pathname = '/there_is_no_such_database'
      for (const url of [wrong, nobody, nowhere]) {
        for (const use of [openDatabase, migrateStore]) {
          const error = (await outcomeOf(use(url.href))) as Error
          expect(error).to.be.instanceOf(Error)
          expect(error.message).to.match(/^The store postgres:\/\/postgres@127\.0\.0\.1:\d+\/\w+ cannot be used: \w+/)
          for (let at: unknown = error; at instanceof Error; at = at.cause)
            expect(`${at.stack}${JSON.stringify(at)}`).to.not.include('wr0ng-s3cret')
        }
      }
    })

    describe('that goes away', () => {
      let tunnel: TcpProxy
      let db: Database

      beforeEach(async () => {
        await (await store.open()).destroy()
        const { hostname, port } = new URL(store.url())
        tunnel = await startTcpProxy(hostname, Number(port))
        db = await openDatabase(throughTunnel())
      })
      afterEach(async () => {
        await tunnel[Symbol.asyncDispose]()
        await db.destroy()
      })

      function throughTunnel(): string {
        const url = new URL(store.url())
        url.hostname = '127.0.0.1'
        url.port = String(tunnel.port)
        return url.href
      }

      it('is used again when it is back, without a restart', async () => {
        await Promise.all(Array.from({ length: 10 }, () => issueApiKey(db, request)))
        await tunnel.cut()
        expect(await outcomeOf(listApiKeys(db))).to.be.instanceOf(Error)
        await tunnel.mend()
        expect(await listApiKeys(db)).to.have.lengthOf(10)
      })

      it('undoes a transaction that it went away from, between two statements', async () => {
        const outcome = await outcomeOf(
          transact(db, async (transaction) => {
            await issueApiKey(transaction, request)
            await tunnel.cut()
            await tunnel.mend()
            await issueApiKey(transaction, request)
          }),
        )
        expect(outcome).to.be.instanceOf(Error)
        expect(await listApiKeys(db)).to.deep.equal([])
      })

      it('may end every connection itself', async () => {
        await Promise.all(Array.from({ length: 10 }, () => issueApiKey(db, request)))
        await runPostgresStatement(
          store.url(),
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        // Each of ten connections may be found dead before a new one is made.
        const found: unknown[] = []
        while (found.at(-1) !== 'well' && found.length <= 10) found.push(await outcomeOf(listApiKeys(db)))
        expect(found.at(-1)).to.equal('well')
      })

      it('is not waited for behind a connection that went silent', async () => {
        const limits = { connections: 1, connectMs: 30_000, statementMs: 1_000 }
        const narrow = new Kysely<never>({ dialect: createPooledPostgresDialect(throughTunnel(), limits) })
        const asked = () => outcomeOf(sql`select 1`.execute(narrow))
        await until('a connection is there', async () => (await asked()) === 'well')
        tunnel.silence()
        expect(await asked()).to.be.instanceOf(Error)
        // At once, but for a machine that stands still for as long as a statement may take.
        await until('another is used', async () => (await asked()) === 'well')
        await narrow.destroy()
      })

      it('ends a statement by the limit that its URL sets', async () => {
        const url = new URL(store.url())
        url.searchParams.set('statement_timeout', '1000')
        const hasty = await openDatabase(url.href)
        await until('the server has ended it', async () => {
          const { code } = (await outcomeOf(sql`select pg_sleep(60)`.execute(hasty))) as { code?: string }
          return code === '57014'
        })
        await hasty.destroy()
      })

      it('ends a statement that takes too long', async () => {
        const limits = { connections: 1, connectMs: 30_000, statementMs: 1_000 }
        const url = new URL(store.url())
        url.search = ''
        const hasty = new Kysely<never>({ dialect: createPooledPostgresDialect(url.href, limits) })
        await until('the server has ended it', async () => {
          const { code } = (await outcomeOf(sql`select pg_sleep(60)`.execute(hasty))) as { code?: string }
          return code === '57014'
        })
        await until('another goes well', async () => (await outcomeOf(sql`select 1`.execute(hasty))) === 'well')
        await hasty.destroy()
      })
    })
  })
}
