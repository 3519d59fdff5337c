import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { wakeFeeds } from '../../src/changes/schedule/feed-wakeup.ts'
import { acceptCatalogDeletions } from '../../src/storage/catalog/catalog-walks.ts'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { stores } from '../support/stores.ts'
import { type ApiServerProcess, startApiServer, writeConfig } from './api-server-process.ts'
import { type CatalogChecker, createCatalogChecker, listMapDifferences, wasSilent } from './catalog-checker.ts'
import { createCatalogModel } from './catalog-model.ts'
import { type CatalogUpstream, startCatalogUpstream } from './catalog-upstream.ts'
import { createEventReader, type EventReader } from './event-reader.ts'
import { createSeededRandom } from './seeded-random.ts'
import { createSyncClient, type SyncClient } from './sync-client.ts'

const SEED = Number(process.env.SEED ?? 20_261_123)
/** The long form: `CATALOG_CHANGES=1500 CATALOG_KILLS=30 npm run test:crash`. */
const CHANGES = Number(process.env.CATALOG_CHANGES ?? 120)
const KILLS = Number(process.env.CATALOG_KILLS ?? 4)
const PRODUCTS = 30
/** The data directory of each process: two machines. The second process of the first machine stands by. */
const MACHINES = ['one', 'one', 'two']
const MAX_PAUSE_MS = 80
/** Between two hints of the inventory, which are followed once a second. */
const HINT_INTERVAL_MS = 1_200
const SETTLE_TIMEOUT_MS = 600_000
/** Machines share the key of webhooks. */
const settings = { feed: { interval_seconds: 1 }, webhooks: { key: Buffer.alloc(32, 1).toString('base64') } }
const tenant = { merchant: 'acme', mode: 'sandbox' } as const

for (const store of stores().filter(({ name }) => name === 'PostgreSQL')) {
  describe(`the mirrors of two machines whose processes are killed, seed ${SEED}`, function () {
    this.timeout(3_600_000)
    const random = createSeededRandom(SEED)
    // A generator of its own: the changes are the same in every run.
    const model = createCatalogModel(createSeededRandom(SEED + 1), { products: PRODUCTS })
    let directory: string
    let upstream: CatalogUpstream
    let db: Database
    let servers: ApiServerProcess[]
    let client: SyncClient
    let events: EventReader
    let checker: CatalogChecker
    let differences: string[]
    let hasFailed = true

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'forecourt-catalog-'))
      // Every other seed has no change feeds of stock and prices.
      upstream = await startCatalogUpstream(model, { hasFeeds: SEED % 2 === 1 })
      db = await store.open()
      const systems = { inventory: upstream, pricing: upstream, accounting: upstream }
      const config = await writeConfig(directory, store.url(), systems, settings)
      const { key } = await issueApiKey(db, { ...tenant, kind: 'secret', rate: 1_000_000 })
      servers = await Promise.all(
        MACHINES.map((machine) => startApiServer(config, directory, { FORECOURT_DATA: join(directory, machine) })),
      )
      const address = () => random.of(servers).address
      client = createSyncClient(address, key, (sku) => model.doubled.has(sku))
      events = createEventReader(address, key)
      checker = createCatalogChecker({ model, servers, key })
      await followWhileChanging()
      hasFailed = false
    })
    afterEach(function () {
      hasFailed ||= this.currentTest?.state === 'failed'
    })
    after(async () => {
      await Promise.all(servers?.map((server) => server.stop()) ?? [])
      await store.close()
      await upstream?.[Symbol.asyncDispose]()
      if (hasFailed) process.stderr.write(`The logs of the processes are in ${directory}.\n`)
      else await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    })

    async function followWhileChanging(): Promise<void> {
      let isOver = false
      const following = [followCatalog, followEvents].map(async (follow) => {
        while (!isOver) await follow()
      })
      // A follower that fails ends the run at once.
      const background = Promise.all(following)
      try {
        const changing = changeAndKill().then(settle)
        await Promise.race([changing, background.then(() => changing)])
      } finally {
        isOver = true
        await background
      }
    }

    async function followCatalog(): Promise<void> {
      await client.sync()
      await pause(random.between(5, 50))
    }

    async function followEvents(): Promise<void> {
      const found = await events.next()
      await Promise.all(found.map(checker.checkEvent))
      if (found.length === 0) await pause(20)
    }

    async function changeAndKill(): Promise<void> {
      while ((await countMirrored(db)) < PRODUCTS) await pause(50)
      const killing: Promise<void>[] = []
      for (let change = 1; change <= CHANGES; change++) {
        model.change()
        await pause(random.between(0, MAX_PAUSE_MS))
        if (change % Math.ceil(CHANGES / KILLS) === 0) killing.push(random.of(servers).kill())
      }
      await Promise.all(killing)
    }

    /** Waits until everything is equal. Until then the inventory sends hints, and an operator accepts what was deleted. */
    async function settle(): Promise<void> {
      const end = performance.now() + SETTLE_TIMEOUT_MS
      do {
        await acceptCatalogDeletions(db, tenant, new Date().toISOString())
        await wakeFeeds(db, tenant.merchant, [tenant.mode], 'inventory', Date.now())
        await pause(HINT_INTERVAL_MS)
        differences = await listDifferences()
      } while (differences.length > 0 && performance.now() < end)
    }

    async function listDifferences(): Promise<string[]> {
      const expected = model.visible()
      const unread = (await countEvents(db)) - events.ids.length
      return [
        ...listMapDifferences('the client', expected, client.products),
        ...(unread === 0 ? [] : [`${unread} events were not listed`]),
        ...(await checker.listDifferences()),
      ]
    }

    it('make the catalog of every process, and of a client, equal to the upstream', () => {
      expect(differences.join('\n')).to.equal('')
      expect(servers.reduce((sum, { kills }) => sum + kills, 0)).to.be.above(0)
    })

    it('show a client each change once and in order', () => {
      expect(client.mistakes).to.deep.equal([])
    })

    it('have a change before its event comes', () => {
      expect(checker.comparisons).to.be.above(0)
      const early = checker.early.filter(({ server, at }) => !wasSilent(server.log, at))
      expect(early.map(({ text }) => text).join('\n')).to.equal('')
    })

    it('are served by new processes while the upstream is down', async () => {
      await upstream[Symbol.asyncDispose]()
      await Promise.all(servers.map((server) => server.kill()))
      let found = await listDifferences()
      for (const end = performance.now() + SETTLE_TIMEOUT_MS; found.length > 0 && performance.now() < end; ) {
        await pause(100)
        found = await listDifferences()
      }
      expect(found.join('\n')).to.equal('')
    })

    it('list each event once, behind the cursor of every earlier page', async () => {
      expect(new Set(events.ids).size).to.equal(events.ids.length)
      expect(events.ids.length).to.equal(await countEvents(db))
    })
  })
}

async function countMirrored(db: Database): Promise<number> {
  const rows = await db.selectFrom('catalog_products').select('sku').where('product', 'is not', null).execute()
  return rows.length
}

async function countEvents(db: Database): Promise<number> {
  const rows = await db.selectFrom('events').select('event_id').execute()
  return rows.length
}
