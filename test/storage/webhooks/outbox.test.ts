import { expect } from 'chai'
import type { EventKind } from '../../../src/contract/events/event-types.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { transact } from '../../../src/storage/transact.ts'
import { appendEvent, type NewEvent } from '../../../src/storage/webhooks/outbox.ts'
import { stores } from '../../support/stores.ts'

const AT = '2026-11-21T12:00:00.000Z'
const tenant = { merchant: 'acme', mode: 'sandbox' } as const

for (const store of stores()) {
  describe(`the outbox over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const append = (of: Partial<NewEvent> = {}) =>
      transact(db, (transaction) =>
        appendEvent(transaction, {
          ...tenant,
          type: 'order.confirmed',
          resource: { type: 'order', id: 'O-1' },
          data: { a: 1 },
          at: AT,
          ...of,
        }),
      )
    const stock = (band: string) =>
      append({ type: 'stock.changed', resource: { type: 'stock', id: 'BP-1' }, data: { band } })
    const sequences = async () =>
      (await db.selectFrom('events').select('sequence').orderBy('sequence').execute()).map((row) => row.sequence)

    async function subscribe(
      subscription_id: string,
      event_types: (EventKind | '*' | 'order.*')[],
      status = 'ACTIVE',
      of = {},
    ) {
      await db
        .insertInto('subscriptions')
        .values({
          ...tenantColumns(tenant),
          subscription_id,
          endpoint_url: subscription_id,
          event_types: JSON.stringify(event_types),
          status: status as 'ACTIVE',
          secret: '',
          secret_hint: '',
          previous_secret: null,
          previous_secret_expires_at: null,
          description: null,
          disabled_reason: null,
          disabled_at: null,
          consecutive_failures: 0,
          exhausted: 0,
          failing_since: null,
          last_delivery_at: null,
          last_success_at: null,
          created_at: AT,
          updated_at: AT,
          ...of,
        })
        .execute()
    }
    const deliveries = async () =>
      (
        await db
          .selectFrom('deliveries')
          .select(['subscription_id', 'event_type', 'status'])
          .orderBy('subscription_id')
          .execute()
      ).map((row) => `${row.subscription_id} ${row.event_type} ${row.status}`)

    it('numbers the events of a resource, also with concurrent writers', async () => {
      await Promise.all(Array.from({ length: 20 }, () => append()))
      await append({ resource: { type: 'order', id: 'O-2' } })
      expect(await sequences()).to.deep.equal(
        [1, ...Array.from({ length: 20 }, (_, at) => at + 1)].toSorted((a, b) => a - b),
      )
    })

    it('continues the numbers of a server of the previous release, and of deleted events', async () => {
      const row = {
        ...tenantColumns(tenant),
        type: 'order.confirmed',
        resource_type: 'order',
        resource_id: 'O-1',
        data: '{}',
        created_at: AT,
      }
      await db
        .insertInto('events')
        .values({ ...row, event_id: 'evt_old1', sequence: 1 })
        .execute()
      await append()
      await db
        .insertInto('events')
        .values({ ...row, event_id: 'evt_old2', sequence: 3 })
        .execute()
      await append()
      expect(await sequences()).to.deep.equal([1, 2, 3, 4])
      await db.deleteFrom('events').execute()
      await append()
      expect(await sequences()).to.deep.equal([5])
    })

    it('creates a delivery for each subscription of the tenant that is subscribed and enabled', async () => {
      await subscribe('all', ['*'])
      await subscribe('orders', ['order.*'])
      await subscribe('shipped', ['order.shipped'])
      await subscribe('failing', ['order.confirmed'], 'FAILING')
      await subscribe('disabled', ['*'], 'DISABLED')
      await subscribe('live', ['*'], 'ACTIVE', { mode: 'live' })
      await subscribe('zenith', ['*'], 'ACTIVE', { tenant_id: 'zenith' })
      await append()
      expect(await deliveries()).to.deep.equal(
        ['all', 'failing', 'orders'].map((id) => `${id} order.confirmed PENDING`),
      )
    })

    it('supersedes waiting deliveries of a product, but none that is being sent', async () => {
      await subscribe('all', ['*'])
      await stock('OUT')
      await stock('LOW')
      expect(await deliveries()).to.have.members(['all stock.changed SUPERSEDED', 'all stock.changed PENDING'])
      await db.updateTable('deliveries').set({ lease: 'somebody' }).where('status', '=', 'PENDING').execute()
      await stock('IN_STOCK')
      expect(await deliveries()).to.have.members([
        ...['all stock.changed SUPERSEDED', 'all stock.changed PENDING', 'all stock.changed PENDING'],
      ])
    })

    it('tells what superseded events changed, unless they were delivered', async () => {
      await subscribe('all', ['*'])
      const update = (changed: string) =>
        append({ type: 'product.updated', resource: { type: 'product', id: 'BRK-1' }, data: { changed: [changed] } })
      await update('price')
      await update('details')
      await db.updateTable('deliveries').set({ lease: 'somebody' }).where('status', '=', 'PENDING').execute()
      await update('price')
      await db.updateTable('deliveries').set({ status: 'DELIVERED' }).execute()
      await update('price')
      const rows = await db.selectFrom('events').select('data').orderBy('sequence').execute()
      expect(rows.map(({ data }) => JSON.parse(data).changed)).to.deep.equal([
        ['price'],
        ['details', 'price'],
        ['details', 'price'],
        ['price'],
      ])
    })

    it('never supersedes an order event', async () => {
      await subscribe('all', ['*'])
      await append()
      await append({ type: 'order.shipped' })
      expect(await deliveries()).to.have.members(['all order.confirmed PENDING', 'all order.shipped PENDING'])
    })

    it('leaves nothing of a transaction that was rolled back', async () => {
      await subscribe('all', ['*'])
      const undone = transact(db, async (transaction) => {
        await appendEvent(transaction, {
          ...tenant,
          type: 'order.shipped',
          resource: { type: 'order', id: 'O-1' },
          data: {},
          at: AT,
        })
        throw new Error('undone')
      })
      expect(await undone.catch((error: Error) => error.message)).to.equal('undone')
      expect([await sequences(), await deliveries()]).to.deep.equal([[], []])
      await append()
      expect(await sequences()).to.deep.equal([1])
    })
  })
}
