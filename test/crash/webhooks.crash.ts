import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { EventKind } from '../../src/contract/events/event-types.ts'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { transact } from '../../src/storage/transact.ts'
import { appendEvent } from '../../src/storage/webhooks/outbox.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { stores } from '../support/stores.ts'
import { type ApiServerProcess, startApiServer, writeConfig } from './api-server-process.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import { endpointBehaviors, startWebhookEndpoints, type WebhookEndpoints } from './webhook-endpoints.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
/** The long form: `EVENTS=50000 WEBHOOK_KILLS=200 npm run test:crash`. */
const EVENTS = Number(process.env.EVENTS ?? 5_000)
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 24)
/** The number of events from the change feed of the back office. */
const STOCK_CHANGES = 300
const RESOURCES = 1_200
const WRITERS = 4
/** The deliveries of a process that may be sent but not recorded: its slots, and its recording queue. */
const MAX_UNRECORDED = 256 + 128
const TIMEOUT_MS = 1_800_000
/** The maximum number of deliveries between two kills of a process: the pace follows the machine. */
const MAX_DELIVERIES_PER_LIFE = 2_500
const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const steps: readonly EventKind[] = ['order.confirmed', 'order.partially_shipped', 'order.shipped', 'order.delivered']

for (const store of stores()) {
  const processes = store.name === 'SQLite' ? 1 : 2
  describe(`webhooks on ${store.name} from ${processes === 1 ? 'a process' : 'two processes'} killed repeatedly`, function () {
    this.timeout(7_200_000)
    const random = createSeededRandom(SEED + processes)
    let directory: string
    let systems: SandboxSystems
    let db: Database
    let servers: ApiServerProcess[]
    let endpoints: WebhookEndpoints
    let changedSkus: string[]

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'forecourt-crash-'))
      systems = await startSandboxSystems(directory)
      db = await store.open()
      endpoints = await startWebhookEndpoints(random)
      const more = { webhooks: { allow: ['127.0.0.1'], key: Buffer.alloc(32, 1).toString('base64') } }
      const config = await writeConfig(directory, store.url(), systems, { ...more, feed: { interval_seconds: 1 } })
      const { key } = await issueApiKey(db, { merchant: 'acme', kind: 'secret', mode: 'sandbox', rate: 1_000_000 })
      servers = await Promise.all(Array.from({ length: processes }, () => startApiServer(config, directory)))
      await subscribe(servers[0]!.address, key, endpoints)
      await waitForBaseline(db)
      changedSkus = await createEventsWhileKilling({ db, systems, servers, endpoints, random })
      await waitForDeliveries(db, endpoints)
      await Promise.all(servers.map((server) => server.stop()))
    })
    after(async () => {
      await Promise.all(servers?.map((server) => server.stop()) ?? [])
      await endpoints?.[Symbol.asyncDispose]()
      await store.close()
      if (systems) await stopSandboxSystems(systems)
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    })

    it(`were ${EVENTS} or more events for ${endpointBehaviors.length} subscriptions, through ${KILLS} or more kills`, async () => {
      const { count } = await db
        .selectFrom('events')
        .select((of) => of.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect(Number(count)).to.be.at.least(EVENTS)
      expect(servers.reduce((sum, server) => sum + server.kills, 0)).to.be.at.least(KILLS)
      expect(endpointBehaviors).to.have.lengthOf(20)
    })

    it('reach every reliable endpoint, signed', async () => {
      const events = await db.selectFrom('events').select(['event_id', 'type', 'resource_id']).execute()
      const superseded = await supersededIn(db)
      for (const { name } of endpointBehaviors.filter(({ isReliable }) => isReliable)) {
        const got = endpoints.received.get(name)!
        const lost = events.filter(({ event_id }) => !got.has(event_id) && !superseded.has(`${name} ${event_id}`))
        expect(lost, name).to.deep.equal([])
      }
      expect(endpoints.forgedCount).to.equal(0)
    })

    it('are delivered or scheduled for every other endpoint that is not gone', async () => {
      const events = await db.selectFrom('events').select('event_id').execute()
      for (const { name, subscription_id, status } of await subscriptionsOf(db, endpoints)) {
        if (name === 'gone') {
          expect(status, name).to.equal('DISABLED')
          continue
        }
        const rows = await db
          .selectFrom('deliveries')
          .select(['event_id', 'status', 'attempts', 'due_at'])
          .where('subscription_id', '=', subscription_id)
          .execute()
        const by = Map.groupBy(rows, (row) => row.status)
        expect([...by.keys()].toSorted(), name).to.satisfy((seen: string[]) =>
          seen.every((one) => ['DELIVERED', 'PENDING', 'SUPERSEDED'].includes(one)),
        )
        expect(new Set(rows.map(({ event_id }) => event_id)).size, name).to.equal(events.length)
        const received = endpoints.received.get(name)!
        for (const { event_id } of by.get('DELIVERED') ?? []) expect(received.has(event_id), name).to.equal(true)
        const late = (by.get('PENDING') ?? []).filter(({ attempts }) => attempts > 9)
        expect(late, name).to.deep.equal([])
      }
    })

    it('have sequence numbers without gaps', async () => {
      const events = await db.selectFrom('events').select(['resource_type', 'resource_id', 'sequence']).execute()
      for (const [resource, own] of Map.groupBy(events, (event) => `${event.resource_type} ${event.resource_id}`)) {
        const numbers = own.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
        expect(numbers, resource).to.deep.equal(numbers.map((_, at) => at + 1))
      }
    })

    it('report each stock change once, whichever process saw it', async () => {
      const stockEvents = await db
        .selectFrom('events')
        .select(['resource_id', 'data'])
        .where('type', '=', 'stock.changed')
        .execute()
      const own = stockEvents.filter(({ resource_id }) => changedSkus.includes(resource_id))
      expect(own.map(({ resource_id }) => resource_id).toSorted()).to.deep.equal(changedSkus.toSorted())
      for (const { data } of own) expect(JSON.parse(data)).to.include({ band: 'OUT' })
    })

    it('arrive twice only after a kill or a missing response', () => {
      const doubles = [...endpoints.received].map(([name, got]) => {
        const twice = [...got.values()].filter((times) => times > 1).length
        return { name, events: got.size, twice }
      })
      const reliable = doubles.filter(({ name }) =>
        endpointBehaviors.some((behavior) => behavior.isReliable && behavior.name === name),
      )
      const twice = reliable.reduce((sum, row) => sum + row.twice, 0)
      const all = reliable.reduce((sum, row) => sum + row.events, 0)
      process.stdout.write(`    ${twice} of ${all} deliveries to reliable endpoints came more than once\n`)
      const kills = servers.reduce((sum, server) => sum + server.kills, 0)
      expect(twice).to.be.at.most(kills * MAX_UNRECORDED)
    })
  })
}

async function subscribe(address: string, key: string, endpoints: WebhookEndpoints): Promise<void> {
  for (const { name } of endpointBehaviors) {
    const reply = await fetch(`${address}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint_url: endpoints.url(name), event_types: ['*'], description: name }),
    })
    if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
    const { signing_secret } = (await reply.json()) as { signing_secret: string }
    endpoints.secrets.set(name, signing_secret)
  }
}

const subscriptionsOf = async (db: Database, endpoints: WebhookEndpoints) => {
  const rows = await db.selectFrom('subscriptions').select(['subscription_id', 'endpoint_url', 'status']).execute()
  return rows.map((row) => ({
    ...row,
    name: endpointBehaviors.find(({ name }) => endpoints.url(name) === row.endpoint_url)!.name,
  }))
}

/** Waits for the baseline of the feeds: later changes create events. */
async function waitForBaseline(db: Database): Promise<void> {
  await until('the baseline of the feed', async () => {
    const feeds = await db
      .selectFrom('feeds')
      .select('baseline')
      .where('source', 'in', ['products', 'stock'])
      .where('mode', '=', 'sandbox')
      .execute()
    const stock = await db.selectFrom('resources').select('id').where('type', '=', 'stock').execute()
    return feeds.length >= 2 && feeds.every(({ baseline }) => baseline === 0) && stock.length >= STOCK_CHANGES
  })
}

async function createEventsWhileKilling(of: {
  db: Database
  systems: SandboxSystems
  servers: ApiServerProcess[]
  endpoints: WebhookEndpoints
  random: SeededRandom
}) {
  const { db, systems, servers, endpoints, random } = of
  const known = await db.selectFrom('resources').select(['id', 'type', 'state']).execute()
  const sold = new Set(known.filter(isSold).map(({ id }) => id))
  const stockRows = known.filter((row) => row.type === 'stock' && sold.has(row.id) && row.state?.includes('IN_STOCK'))
  stockRows.length = STOCK_CHANGES
  const kills = () => servers.reduce((sum, server) => sum + server.kills, 0)
  let written = 0
  let done = false

  async function runWriter(): Promise<void> {
    while (written < EVENTS || kills() < KILLS) {
      const number = written++
      const resource = { type: 'order' as const, id: `O-${number % RESOURCES}` }
      const type = steps[Math.floor(number / RESOURCES) % steps.length]!
      const event = { ...tenant, type, resource, data: { order_id: resource.id }, at: new Date().toISOString() }
      await transact(db, (transaction) => appendEvent(transaction, event))
      await pause(written < EVENTS ? 30 : 500)
    }
  }
  async function changeStock(): Promise<void> {
    for (const { id } of stockRows) {
      await setStock(systems.inventory.controlAddress, 'acme', id, { available: 0, expected: [] })
      await pause(random.between(20, 150))
    }
  }
  async function runKiller(server: ApiServerProcess): Promise<void> {
    while (!done) {
      const end = endpoints.deliveryCount + random.between(1, MAX_DELIVERIES_PER_LIFE)
      while (endpoints.deliveryCount < end && !done) await pause(5)
      if (!done) await server.kill()
    }
  }

  const background = Promise.all(servers.map(runKiller))
  try {
    const allEvents = Promise.all([...Array.from({ length: WRITERS }, runWriter), changeStock()])
    await Promise.race([allEvents, background.then(() => allEvents)])
  } finally {
    done = true
    await background
  }
  return stockRows.map(({ id }) => id)
}

const isSold = ({ type, state }: { type: string; state: string | null }) =>
  type === 'product' && state?.includes('"active":true')

/** Waits until reliable endpoints have all events, all stock changes have an event, and the gone endpoint is disabled. */
async function waitForDeliveries(db: Database, endpoints: WebhookEndpoints): Promise<void> {
  await until('the last delivery', async () => {
    const gone = (await subscriptionsOf(db, endpoints)).find(({ name }) => name === 'gone')
    const stockEvents = await db.selectFrom('events').select('event_id').where('type', '=', 'stock.changed').execute()
    const waiting = await db
      .selectFrom('deliveries')
      .innerJoin('subscriptions', 'subscriptions.subscription_id', 'deliveries.subscription_id')
      .select('deliveries.delivery_id')
      .where('deliveries.status', '=', 'PENDING')
      .where(
        'subscriptions.description',
        'in',
        endpointBehaviors.filter(({ isReliable }) => isReliable).map(({ name }) => name),
      )
      .limit(1)
      .execute()
    return stockEvents.length >= STOCK_CHANGES && waiting.length === 0 && gone?.status === 'DISABLED'
  })
}

async function supersededIn(db: Database): Promise<Set<string>> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('subscriptions', 'subscriptions.subscription_id', 'deliveries.subscription_id')
    .select(['deliveries.event_id', 'subscriptions.description'])
    .where('deliveries.status', '=', 'SUPERSEDED')
    .execute()
  return new Set(rows.map(({ event_id, description }) => `${description} ${event_id}`))
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${TIMEOUT_MS} ms for ${what}`)
    await pause(500)
  }
}
