import { expect } from 'chai'
import { sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'
import { disarmRestoredStore } from '../../src/storage/disarm-restored-store.ts'
import { releaseDeadHolders } from '../../src/storage/release-dead-holders.ts'
import { readDoc } from '../docs/read-doc.ts'
import { stores } from '../support/stores.ts'

const AT = '2026-05-01T10:00:00.000Z'

/** Runs the statements of docs/operations.md for a copy of a store. */
async function runDocumentedStatements(db: Database): Promise<void> {
  const [, statements] = /first run these statements on the copy.*?```sql\n(.*?)```/s.exec(readDoc('operations.md'))!
  for (const statement of statements!.trim().split('\n')) await sql.raw(statement).execute(db)
}

const ways = { 'the restore drill': disarmRestoredStore, 'the operations guide': runDocumentedStatements }

for (const store of stores())
  for (const [name, disarm] of Object.entries(ways))
    describe(`a store that was restored as by ${name}: ${store.name}`, () => {
      let db: Database
      before(async () => {
        db = await store.open()
      })
      after(() => store.close())

      it('gives no pending order to a server that starts on it, told to a shopper or not', async () => {
        for (const told of [0, 1])
          await db
            .insertInto('orders')
            .values({
              tenant_id: 'acme',
              mode: 'live',
              order_id: `ord_${told}`,
              cart_id: `cart_${told}`,
              customer_id: 'C-1',
              draft: '{}',
              placed: null,
              status: 'PENDING',
              told,
              attempts: 1,
              leased_until: AT,
              created_at: AT,
              updated_at: AT,
            })
            .execute()
        await disarm(db)
        await releaseDeadHolders(db, AT)
        const orders = await db.selectFrom('orders').select('leased_until').execute()
        expect(orders.map(({ leased_until }) => leased_until.slice(0, 4))).to.deep.equal(['9999', '9999'])
      })
    })
