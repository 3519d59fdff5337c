import { expect } from 'chai'
import { sql } from 'kysely'
import type { Database } from '../../../src/storage/database.ts'
import { migrateStore } from '../../../src/storage/migrate-store.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { createReleaseStore, openUnchecked } from './release-store.ts'

for (const store of stores()) {
  describe(`applying migrations: ${store.name}`, function () {
    this.timeout(300_000)
    let old: Database

    beforeEach(async () => {
      await store.createBare()
      await createReleaseStore(store.url())
      old = openUnchecked(store.url())
    })
    afterEach(async () => {
      await old.destroy()
      await store.close()
    })

    const readKeys = () => old.selectFrom('api_keys').select('key_id').execute()

    it('keeps what was applied before a migration that failed, and continues there', async () => {
      await sql`create table store_probes (probe_id text)`.execute(old)
      const error = await migrateStore(store.url()).catch((failure: unknown) => failure)
      expect(String(error)).to.match(/store_probes/)
      await sql`drop table store_probes`.execute(old)
      expect((await migrateStore(store.url()))[0]).to.equal('010-store-faults')
    })

    if (store.name === 'SQLite')
      it('lets servers of an earlier release read while it waits for the store', async () => {
        const writer = await old.startTransaction().execute()
        const reader = openUnchecked(store.url())
        const migrating = migrateStore(store.url())
        expect(await reader.selectFrom('api_keys').select('key_id').execute()).to.deep.equal([])
        await writer.rollback().execute()
        expect(await migrating).to.have.length.above(0)
        expect(await reader.selectFrom('api_keys').select('key_id').execute()).to.deep.equal([])
        await reader.destroy()
      })
    else {
      // An index of another table waits for locks too, but briefly.
      const waitFor = (condition: string) =>
        until(condition, async () => {
          const query = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike ${`%${condition}%`}`
          return (await query.execute(old)).rows.length > 0
        })

      it('lets servers of an earlier release read and write while an index is built', async () => {
        const writer = await old.startTransaction().execute()
        await sql`lock table deliveries in row exclusive mode`.execute(writer)
        const migrating = migrateStore(store.url())
        await waitFor('create%index%on deliveries')
        expect(await readKeys()).to.deep.equal([])
        const { numUpdatedRows } = await old.updateTable('deliveries').set({ log: '[]' }).executeTakeFirstOrThrow()
        expect(numUpdatedRows).to.equal(0n)
        await writer.rollback().execute()
        expect(await migrating).to.have.length.above(0)
      })

      it('builds an index again whose build was interrupted', async () => {
        const writer = await old.startTransaction().execute()
        await sql`lock table deliveries in row exclusive mode`.execute(writer)
        const migrating = migrateStore(store.url()).catch((failure: unknown) => failure)
        await waitFor('create%index%on deliveries')
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'create%index%on deliveries%'`.execute(
          old,
        )
        expect(await migrating).to.be.instanceOf(Error)
        await writer.rollback().execute()
        const invalid = sql`select indexrelid::regclass::text as name from pg_index where not indisvalid`
        expect((await invalid.execute(old)).rows).to.have.lengthOf(1)
        expect(await migrateStore(store.url())).to.have.length.above(0)
        expect((await invalid.execute(old)).rows).to.deep.equal([])
      })

      it('gives way to readers while a long transaction keeps it from a table', async () => {
        const reader = await old.startTransaction().execute()
        await sql`lock table api_keys in access share mode`.execute(reader)
        const migrating = migrateStore(store.url())
        await waitFor('alter table')
        expect(await readKeys()).to.deep.equal([])
        await reader.rollback().execute()
        expect(await migrating).to.have.length.above(0)
      })

      it('applies each migration once when processes start at once while an index is built', async () => {
        const writer = await old.startTransaction().execute()
        await sql`lock table deliveries in row exclusive mode`.execute(writer)
        const migrating = [1, 2, 3].map(() => migrateStore(store.url()))
        await waitFor('create%index%on deliveries')
        await writer.rollback().execute()
        const applied = (await Promise.all(migrating)).flat()
        expect(new Set(applied).size).to.equal(applied.length)
      })
    }
  })
}
