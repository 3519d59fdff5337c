import { expect } from 'chai'
import { sql } from 'kysely'
import type { NotificationChannel } from '../../../src/config/notification-channel.ts'
import type { NoticeMessage } from '../../../src/operations/notices/notice-message.ts'
import {
  type OutageNotifier,
  type SendNotice,
  startOutageNotifier,
} from '../../../src/operations/notices/outage-notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { applyIncidentUpdates } from '../../../src/storage/diagnostics/incident-updates.ts'
import { listFailingChannels, listOutageNotices } from '../../../src/storage/diagnostics/outage-notices.ts'
import { acquireAdvisoryLock } from '../../../src/storage/postgres/acquire-advisory-lock.ts'
import { stores } from '../../support/stores.ts'

const START = Date.parse('2026-11-21T15:00:00.000Z')
const MINUTE = 60_000

const channel = (changes: Partial<NotificationChannel> = {}): NotificationChannel => ({
  id: 'ops',
  target: { kind: 'mail', to: 'ops@acme.example' },
  merchants: null,
  systems: null,
  afterMs: MINUTE,
  quietHours: null,
  ...changes,
})

const texts = {
  merchantName: (merchant: string) => merchant.toUpperCase(),
  sectionName: (_system: string, section: string) => section,
  effect: () => 'Prices are missing.',
  contact: () => ({ name: 'Lee Wong' }),
  time: (at: string) => at.slice(11, 16),
  pagesUrl: 'https://ops.example',
}

async function hasWaitingLock(db: Database): Promise<boolean> {
  const ofDatabase = sql`database = (select oid from pg_database where datname = current_database())`
  const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted and ${ofDatabase}`
  return (await waiting.execute(db)).rows.length > 0
}

for (const store of stores())
  describe(`notifications of outages: ${store.name}`, () => {
    let db: Database
    let now: number
    let sent: [channel: string, message: NoticeMessage, id: string][]
    let failure: string | null
    const running: OutageNotifier[] = []

    beforeEach(async () => {
      db = await store.open()
      now = START
      sent = []
      failure = null
    })
    afterEach(async () => {
      for (const notifier of running.splice(0)) await notifier[Symbol.asyncDispose]()
      await store.close()
    })

    const send: SendNotice = async ({ id }, message, { notice }) => {
      sent.push([id, message, notice])
      return failure
    }
    function start(channels: NotificationChannel[], sendNotice = send): OutageNotifier {
      const notifier = startOutageNotifier({
        db,
        channels,
        texts,
        send: sendNotice,
        now: () => now,
        intervalMs: null,
        onError: (error) => expect.fail(String(error)),
      })
      running.push(notifier)
      return notifier
    }
    async function poll(...notifiers: OutageNotifier[]): Promise<string[]> {
      for (const notifier of notifiers) await notifier.poll()
      for (const notifier of notifiers) await notifier.idle()
      return sent.splice(0).map(([id, { subject }]) => `${id} ${subject}`)
    }
    function fail(merchant: string, section: string, more: object = {}) {
      const [first_at, last_at] = [START, now].map((at) => new Date(at).toISOString()) as [string, string]
      const key = { tenant_id: merchant, mode: 'live' as const, system: 'pricing', section, ...more }
      return applyIncidentUpdates(db, [{ ...key, first_at, last_at, answers: 1, codes: {}, causes: {}, samples: [] }])
    }
    const endAll = () =>
      db
        .updateTable('incidents')
        .set({ ended_at: new Date(now).toISOString() })
        .execute()
    const stateOf = async () => (await listOutageNotices(db, 9)).map(({ state }) => state)

    it('are one message for many merchants and sections, by one process, and one at the end', async () => {
      const [one, other] = [start([channel()]), start([channel()])]
      for (const merchant of ['acme', 'zenith'])
        for (const section of ['price', 'pricing']) await fail(merchant, section)
      expect(await poll(one, other)).to.deep.equal([])
      now += MINUTE
      await Promise.all([one.poll(), other.poll()])
      await Promise.all([one.idle(), other.idle()])
      const [[, message, id]] = sent as [[string, NoticeMessage, string]]
      expect(sent.splice(0)).to.have.lengthOf(1)
      const [incident] = await db.selectFrom('incidents').select('incident_id').orderBy('began_at').execute()
      expect(message.subject).to.equal('Outage: pricing of ACME, ZENITH')
      expect(message.text.split('\n\n').slice(0, -1)).to.deep.equal([
        'The outage began at 15:00.',
        'ACME: price, pricing',
        'ZENITH: price, pricing',
        'Prices are missing.',
        'Whom to call: Lee Wong',
      ])
      expect(message.text).to.match(/https:\/\/ops\.example\/incidents\/inc_\w{16}$/)
      expect(incident!.incident_id).to.match(/^inc_/)
      expect(id).to.match(/^out_\w{16}\.outage\.began$/)
      now += 10 * MINUTE
      expect(await poll(one, other)).to.deep.equal([])
      await endAll()
      now += MINUTE / 2
      // It may return.
      expect(await poll(one, other)).to.deep.equal([])
      now += MINUTE
      expect(await poll(one, other)).to.deep.equal(['ops Outage over: pricing of ACME, ZENITH'])
      now += 10 * MINUTE
      expect(await poll(one, other)).to.deep.equal([])
      expect(await stateOf()).to.deep.equal(['done'])
    })

    it('reach only the channels of their merchant and system, and not for sandboxes or keys', async () => {
      const notifier = start([
        channel({ id: 'acme', merchants: ['acme'] }),
        channel({ id: 'ledger', systems: ['accounting', 'store'] }),
      ])
      await fail('zenith', 'price')
      await fail('zenith', 'tax', { system: 'accounting' })
      await fail('acme', 'price', { mode: 'sandbox' })
      await fail('acme', 'key_1', { system: '' })
      await fail('', 'store', { system: '' })
      now += MINUTE
      expect((await poll(notifier)).toSorted()).to.deep.equal([
        'acme Outage: store of ',
        'ledger Outage: accounting of ZENITH',
        'ledger Outage: store of ',
      ])
    })

    it('of merchants of another Forecourt on the store, with the same channel, are left to it', async () => {
      const quietHours = { from: '09:00', to: '10:30', timeZone: 'America/Jamaica' }
      const [own, other] = ['zenith', 'acme'].map((merchant) => start([channel({ merchants: [merchant], quietHours })]))
      await fail('zenith', 'price')
      const told: string[] = []
      for (now = START; now < START + 40 * MINUTE; now += 5 * MINUTE) told.push(...(await poll(own!, other!)))
      expect(told).to.deep.equal(['ops Outage: pricing of ZENITH'])
      expect(await stateOf()).to.deep.equal(['began_sent'])
      await fail('acme', 'price')
      now += 5 * MINUTE
      expect(await poll(own!, other!)).to.deep.equal(['ops Outage: pricing of ACME'])
    })

    it('are not sent about an outage that ends before, and wait for the end of quiet hours', async () => {
      // It is 10:00 in Jamaica.
      const quietHours = { from: '09:00', to: '11:00', timeZone: 'America/Jamaica' }
      const notifier = start([channel(), channel({ id: 'quiet', quietHours })])
      await fail('acme', 'price')
      await poll(notifier)
      now += MINUTE / 2
      await endAll()
      await poll(notifier)
      expect(await stateOf()).to.deep.equal(['over_untold', 'over_untold'])
      now += 5 * MINUTE
      await fail('acme', 'price', { section: 'pricing' })
      expect(await poll(notifier)).to.deep.equal(['ops Outage: pricing of ACME'])
      now = START + 59 * MINUTE
      expect(await poll(notifier)).to.deep.equal([])
      now = START + 60 * MINUTE
      expect(await poll(notifier)).to.deep.equal(['quiet Outage: pricing of ACME'])
    })

    it('are sent again a few times when they fail, and then given up', async () => {
      const notifier = start([channel()])
      failure = 'HTTP 500'
      await fail('acme', 'price')
      let attempts = 0
      for (now = START; now < START + 180 * MINUTE; now += MINUTE) attempts += (await poll(notifier)).length
      expect(attempts).to.equal(5)
      const [notice] = await listOutageNotices(db, 9)
      expect(notice).to.include({ state: 'began_failed', failure: 'HTTP 500', target: 'mail' })
      await endAll()
      now += 5 * MINUTE
      expect(await poll(notifier)).to.deep.equal([])
      expect(await stateOf()).to.deep.equal(['failed'])
    })

    it('are not sent again during quiet hours', async () => {
      // It is 10:00 in Jamaica.
      const notifier = start([channel({ quietHours: { from: '10:03', to: '11:00', timeZone: 'America/Jamaica' } })])
      failure = 'HTTP 500'
      await fail('acme', 'price')
      const attempts: number[] = []
      for (now = START; now < START + 61 * MINUTE; now += MINUTE / 2)
        if ((await poll(notifier)).length > 0) attempts.push((now - START) / MINUTE)
      expect(attempts).to.deep.equal([1, 1.5, 60])
    })

    if (store.name === 'PostgreSQL')
      it('are not sent about an outage that ends while another process plans them', async () => {
        const notifier = start([channel({ afterMs: 0 })])
        await fail('acme', 'price')
        let planning: Promise<void> | undefined
        await db.transaction().execute(async (transaction) => {
          await acquireAdvisoryLock(transaction, 'outage-notices')
          planning = notifier.poll()
          while (!(await hasWaitingLock(transaction)));
          await endAll()
        })
        await planning
        await notifier.idle()
        expect(sent).to.deep.equal([])
      })

    it('that fail are known by their channel, until one is sent', async () => {
      const notifier = start([channel()])
      const failing = () => listFailingChannels(db, new Date(START).toISOString())
      failure = 'HTTP 500'
      await fail('acme', 'price')
      now += MINUTE
      await poll(notifier)
      const began_at = new Date(START).toISOString()
      const next_at = new Date(now + MINUTE / 2).toISOString()
      const own = { channel: 'ops', target: 'mail', system: 'pricing', began_at, failure: 'HTTP 500' }
      expect(await failing()).to.deep.equal([{ ...own, next_at }])
      failure = null
      now += MINUTE
      await poll(notifier)
      expect(await failing()).to.deep.equal([])
    })

    it('to a receiver that hangs delay no other', async () => {
      const hanging = Promise.withResolvers<string | null>()
      const notifier = start([channel({ id: 'hangs' }), channel({ id: 'well' })], (to, message, id) =>
        to.id === 'hangs' ? hanging.promise : send(to, message, id),
      )
      await fail('acme', 'price')
      now += MINUTE
      await notifier.poll()
      await notifier.poll()
      const done = notifier.idle()
      hanging.resolve('no response')
      await done
      expect(sent.map(([id]) => id)).to.deep.equal(['well'])
      const failures = (await listOutageNotices(db, 9)).map(({ channel: id, failure: why }) => [id, why])
      expect(failures).to.have.deep.members([
        ['hangs', 'no response'],
        ['well', null],
      ])
    })
  })
