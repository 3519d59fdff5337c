import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { CATALOG_EVENT_HOLD_MS, createEventRelease } from '../../../src/changes/mirror/event-release.ts'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { transact } from '../../../src/storage/transact.ts'
import { numberEvents } from '../../../src/storage/webhooks/event-positions.ts'
import { appendEvent } from '../../../src/storage/webhooks/outbox.ts'
import { stores } from '../../support/stores.ts'
import { AT, acme, details, type MirrorMachines, openMachines } from '../mirror-machines.ts'

for (const store of stores()) {
  describe(`events of a mirrored catalog on ${store.name}`, () => {
    let machines: MirrorMachines
    beforeEach(async () => {
      machines = await openMachines(store)
      const { db } = machines
      await db
        .insertInto('subscriptions')
        .values({
          subscription_id: 'sub_1',
          tenant_id: 'acme',
          mode: 'live',
          endpoint_url: 'https://shop.example/hook',
          event_types: '["*"]',
          status: 'ACTIVE',
          disabled_reason: null,
          disabled_at: null,
          secret: '',
          secret_hint: '',
          previous_secret: null,
          previous_secret_expires_at: null,
          consecutive_failures: 0,
          exhausted: 0,
          failing_since: null,
          last_delivery_at: null,
          last_success_at: null,
          created_at: AT,
          updated_at: AT,
        })
        .execute()
    })
    afterEach(() => machines[Symbol.asyncDispose]())

    const isoAfter = (ms: number) => new Date(machines.clock.ms + ms).toISOString()
    /** Changes a product, with its event, in one transaction. */
    const change = (sku: string, name: string) =>
      transact(machines.db, async (transaction) => {
        await putCatalogParts(transaction, acme, [details(sku, name)], isoAfter(0))
        await appendEvent(transaction, {
          ...acme,
          type: 'product.updated',
          resource: { type: 'product', id: sku },
          data: {},
          at: isoAfter(0),
          heldUntil: isoAfter(CATALOG_EVENT_HOLD_MS),
        })
      })
    /** Inserts held events without deliveries. */
    async function insertHeldEvents(count: number): Promise<void> {
      const event = {
        ...tenantColumns(acme),
        type: 'product.updated',
        resource_type: 'product',
        sequence: 1,
        data: '{}',
      }
      const times = { created_at: isoAfter(0), held_until: isoAfter(CATALOG_EVENT_HOLD_MS) }
      const rows = Array.from({ length: count }, (_, at) => {
        return { ...event, ...times, event_id: `evt_${at}`, resource_id: `S-${at}` }
      })
      for (let at = 0; at < count; at += 700)
        await machines.db
          .insertInto('events')
          .values(rows.slice(at, at + 700))
          .execute()
    }
    /** Creates the reports of a process without a mirror. */
    const startReports = (follower: string) =>
      createEventRelease({ db: machines.db, tenant: acme, follower, now: () => machines.clock.ms })
    const countDue = async () => {
      const rows = await machines.db.selectFrom('deliveries').select('due_at').execute()
      return rows.filter(({ due_at }) => due_at <= isoAfter(0)).length
    }
    const countListed = () => numberEvents(machines.db, acme, machines.clock.ms)

    it('are due when the mirror of every process has the change', async () => {
      const [one, other] = [machines.startProcess('one'), machines.startProcess('other')]
      await machines.markRead('products')
      await machines.put([details('S-1')])
      for (const { mirror } of [one, other]) await mirror.poll()
      machines.clock.ms += 1_000
      await change('S-1', 'renamed')
      await one.mirror.poll()
      expect([one.mirror.products(['S-1'])[0]!.product.name, await countDue()]).to.deep.equal(['renamed', 0])
      await other.mirror.poll()
      expect([other.mirror.products(['S-1'])[0]!.product.name, await countDue()]).to.deep.equal(['renamed', 1])
    })

    it('are listed when they are due', async () => {
      const [one, other] = [machines.startProcess('one'), machines.startProcess('other')]
      await machines.put([details('S-1')])
      for (const { mirror } of [one, other]) await mirror.poll()
      await change('S-1', 'renamed')
      await one.mirror.poll()
      expect([await countListed(), await countDue()]).to.deep.equal([0, 0])
      await other.mirror.poll()
      expect([await countListed(), await countDue()]).to.deep.equal([1, 1])
    })

    it('wait for a process that has registered but not filled its mirror', async () => {
      const one = machines.startProcess('one')
      await machines.put([details('S-1')])
      await one.mirror.poll()
      let changed: Promise<unknown> | undefined
      const states: [boolean, number][] = []
      const other = machines.startProcess('other', {
        beforeRead() {
          changed ??= change('S-1', 'renamed')
            .then(() => one.mirror.poll())
            .then(async () => states.push([other.mirror.isServing, await countDue()]))
          return changed.then(() => {})
        },
      })
      await other.mirror.poll()
      expect(states).to.deep.equal([[false, 0]])
      await other.mirror.poll()
      expect([other.mirror.isServing, other.mirror.products(['S-1'])[0]!.product.name]).to.deep.equal([true, 'renamed'])
      await one.mirror.poll()
      expect(await countDue()).to.equal(1)
    })

    it('are released without a silent process, which learns of it when it reports', async () => {
      const [one, other] = [machines.startProcess('one'), machines.startProcess('other')]
      await machines.put([details('S-1')])
      for (const { mirror } of [one, other]) await mirror.poll()
      await change('S-1', 'renamed')
      for (let second = 0; second < 8; second++) {
        machines.clock.ms += 1_000
        await one.mirror.poll()
      }
      expect(await countDue()).to.equal(1)
      machines.clock.ms += 3_000
      await other.mirror.poll()
      expect([one.forgotten, other.forgotten]).to.deep.equal([0, 1])
    })

    it('are due at once where one process has the only mirror', async () => {
      const one = machines.startProcess('one')
      await machines.markRead('products')
      await machines.put([details('S-1')])
      await one.mirror.poll()
      await change('S-1', 'renamed')
      await one.mirror.poll()
      expect(await countDue()).to.equal(1)
    })

    it('wait for a slow process, but a few seconds only for one that has gone', async () => {
      const [one, slow] = [machines.startProcess('one'), machines.startProcess('slow')]
      await machines.markRead('products')
      await machines.put([details('S-1')])
      for (const { mirror } of [one, slow]) await mirror.poll()
      const slowRelease = startReports('slow/2')
      await change('S-1', 'renamed')
      for (let second = 0; second < 30; second++) {
        machines.clock.ms += 1_000
        await slowRelease.round(1)
        await one.mirror.poll()
      }
      expect(await countDue()).to.equal(0)
      for (let second = 0; second < 7; second++) {
        machines.clock.ms += 1_000
        await one.mirror.poll()
      }
      expect(await countDue()).to.equal(1)
      expect(await machines.db.selectFrom('mirror_followers').select('follower').execute()).to.deep.equal([
        { follower: 'one/1' },
      ])
    })

    it('do not wait for a process that died before there were any', async () => {
      const [one, dead] = [machines.startProcess('one'), machines.startProcess('dead')]
      await machines.put([details('S-1')])
      for (const { mirror } of [dead, one]) await mirror.poll()
      for (let second = 0; second < 8; second++) {
        machines.clock.ms += 1_000
        await one.mirror.poll()
      }
      await change('S-1', 'renamed')
      await one.mirror.poll()
      expect([await countListed(), await countDue()]).to.deep.equal([1, 1])
    })

    it('wait for a process that was silent while there were none, and reports again', async () => {
      const [one, other] = [machines.startProcess('one'), machines.startProcess('other')]
      await machines.put([details('S-1')])
      for (const { mirror } of [other, one]) await mirror.poll()
      for (let second = 0; second < 8; second++) {
        machines.clock.ms += 1_000
        await one.mirror.poll()
      }
      await other.mirror.poll()
      await change('S-1', 'renamed')
      await one.mirror.poll()
      expect([await countDue(), other.forgotten]).to.deep.equal([0, 0])
      await other.mirror.poll()
      expect([other.mirror.products(['S-1'])[0]!.product.name, await countDue()]).to.deep.equal(['renamed', 1])
    })

    it('wait for ten minutes at most for a process that reports but gets no further', async () => {
      const [one, standing] = [machines.startProcess('one'), machines.startProcess('standing')]
      await machines.put([details('S-1')])
      for (const { mirror } of [one, standing]) await mirror.poll()
      const standingRelease = startReports('standing/2')
      const pass = async (seconds: number) => {
        for (let second = 0; second < seconds; second += 2) {
          machines.clock.ms += 2_000
          await standingRelease.report(1)
          await one.mirror.poll()
        }
      }
      await change('S-1', 'renamed')
      await pass(590)
      expect([await countListed(), await countDue()]).to.deep.equal([0, 0])
      await pass(20)
      expect([await countListed(), await countDue()]).to.deep.equal([1, 1])
      await change('S-1', 'renamed again')
      await pass(2)
      expect(await countListed(), 'does not wait again').to.equal(1)
    })

    it('hold back more events than are released at once', async () => {
      const one = machines.startProcess('one')
      await one.mirror.poll()
      const slowRelease = startReports('slow/2')
      await machines.put([details('S-1')])
      await insertHeldEvents(2_100)
      for (let second = 0; second < 150; second += 2) {
        machines.clock.ms += 2_000
        await slowRelease.report(0)
        await one.mirror.poll()
      }
      expect(await countListed()).to.equal(0)
    })

    it('wait for a process whose file is long in writing, since it reports meanwhile', async () => {
      const one = machines.startProcess('one')
      await machines.put([details('S-1')])
      await one.mirror.poll()
      const latch = Promise.withResolvers<void>()
      const busy = machines.startProcess('busy', { intervalMs: 20, beforeRead: () => latch.promise })
      await busy.mirror.registered
      await change('S-1', 'renamed')
      const readBeat = () =>
        machines.db
          .selectFrom('mirror_followers')
          .select('beat')
          .where('follower', '=', 'busy/2')
          .executeTakeFirstOrThrow()
          .then(({ beat }) => beat)
      for (let second = 0; second < 8; second++) {
        machines.clock.ms += 1_000
        const before = await readBeat()
        while ((await readBeat()) === before) await pause(10)
        await one.mirror.poll()
      }
      expect([await countDue(), busy.forgotten]).to.deep.equal([0, 0])
      latch.resolve()
      while (!busy.mirror.isServing) await pause(10)
      while ((await countDue()) === 0) await pause(10)
      expect(busy.mirror.products(['S-1'])[0]!.product.name).to.equal('renamed')
    })

    it('are due two minutes after the first of them, when a product changes all the time and no mirror follows', async () => {
      await machines.put([details('S-1')])
      for (let minute = 0; minute < 2; minute++) {
        await change('S-1', `renamed ${minute}`)
        expect(await countDue()).to.equal(0)
        machines.clock.ms += 60_000
      }
      const pending = await machines.db
        .selectFrom('deliveries')
        .select('due_at')
        .where('status', '=', 'PENDING')
        .execute()
      expect(pending).to.deep.equal([{ due_at: isoAfter(0) }])
      expect(await countListed()).to.equal(2)
    })

    it('do not wait for a process that has ended', async () => {
      const [one, other] = [machines.startProcess('one'), machines.startProcess('other')]
      await machines.markRead('products')
      await machines.put([details('S-1')])
      for (const { mirror } of [one, other]) await mirror.poll()
      await other.end()
      await change('S-1', 'renamed')
      await one.mirror.poll()
      expect(await countDue()).to.equal(1)
    })
  })
}
