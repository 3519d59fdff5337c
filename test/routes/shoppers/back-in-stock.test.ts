import { expect } from 'chai'
import { createFeedScheduler, type FeedScheduler } from '../../../src/changes/schedule/feed-scheduler.ts'
import { createBackInStockMailer } from '../../../src/runtime/back-in-stock-emails.ts'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { pruneExpired } from '../../../src/storage/retention/prune-expired.ts'
import { takeBackInStockRequest } from '../../../src/storage/shoppers/back-in-stock-requests.ts'
import { readBackInStockPage } from '../../../src/storage/shoppers/due-back-in-stock-requests.ts'
import { generateShopperId } from '../../../src/storage/shoppers/shopper-accounts.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const OUT = 'BP-1003'
const DAY_MS = 86_400_000

interface SentMail {
  to: string
  subject: string
  text: string
}

for (const store of stores()) {
  describe(`back-in-stock requests on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let feed: FeedScheduler
    let clock = Date.now()
    let control: string
    const mails: SentMail[] = []

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), now: () => clock })
      control = api.systems.inventory.controlAddress
      feed = createFeed('one')
      await feed.tick()
      shopper = await cartShopper(api)
    })
    beforeEach(async () => {
      mails.length = 0
      await api.db.deleteFrom('back_in_stock_requests').execute()
      await api.db.deleteFrom('events').execute()
      await setStock(control, 'acme', OUT, { available: 0, expected: [] })
      await readChanges()
    })
    after(async () => {
      await feed[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    function createFeed(holder: string): FeedScheduler {
      const { backOffice, merchant } = api.upstreams.forTenant(tenant)!
      const onError = (error: unknown) => {
        throw error
      }
      const mailer = { send: (mail: SentMail) => void mails.push(mail) }
      const onBackInStock = createBackInStockMailer({ db: api.db, mailer, merchants: [merchant], onError })
      const upstreams = [{ ...tenant, backOffice }]
      const parts = { db: api.db, now: () => clock, upstreams, intervalMs: null, onChanged() {}, onError }
      return createFeedScheduler({ ...parts, holder, onBackInStock })
    }

    /** Sets the stock, and lets the change feed read it. */
    async function stockOf(sku: string, available: number): Promise<void> {
      await setStock(control, 'acme', sku, { available, expected: [] })
      await readChanges()
    }

    async function readChanges(): Promise<void> {
      clock += 60_000
      await feed.tick()
      // Requests are answered in the round after the one that has read the stock.
      if ((await listDue()).length > 0) await feed.tick()
      api.upstreams.forTenant(tenant)!.backOffice.purge(null)
    }

    const listDue = async () => {
      const now = new Date(clock).toISOString()
      return (await readBackInStockPage(api.db, tenant, { now, after: null, size: 10 })).due
    }
    const request = (sku = OUT, caller = shopper) => caller.ask('POST', `/v1/products/${sku}/back-in-stock`)
    const withdraw = (sku = OUT, caller = shopper) => caller.ask('DELETE', `/v1/products/${sku}/back-in-stock`)
    const listed = async (caller = shopper) => (await caller.ask('GET', '/v1/me/back-in-stock')).body.data
    const events = async () =>
      (
        await api.db
          .selectFrom('events')
          .select(['resource_id', 'data'])
          .where('type', '=', 'product.back_in_stock')
          .execute()
      ).map(({ resource_id, data }) => ({ resource_id, ...JSON.parse(data) }))

    async function addAccount(email: string, verified = true): Promise<void> {
      const at = '2026-01-01T00:00:00.000Z'
      const row = {
        shopper_id: generateShopperId(),
        tenant_id: 'acme',
        mode: 'sandbox' as const,
        customer_id: 'C-1001',
      }
      const times = { created_at: at, updated_at: at, verified_at: verified ? at : null }
      await api.db
        .insertInto('shoppers')
        .values({ ...row, ...times, email, password_hash: '' })
        .execute()
    }

    it('are listed, renewed and withdrawn by their shopper', async () => {
      const first = await request()
      const created_at = new Date(clock).toISOString()
      const expires_at = new Date(clock + 90 * DAY_MS).toISOString()
      expect([first.status, first.body]).to.deep.equal([201, { sku: OUT, created_at, expires_at, errors: [] }])
      clock += 1_000
      const again = await request()
      const renewed = { sku: OUT, created_at, expires_at: new Date(clock + 90 * DAY_MS).toISOString() }
      expect([again.status, again.body]).to.deep.equal([200, { ...renewed, errors: [] }])
      expect(await listed()).to.deep.equal([renewed])
      expect((await withdraw()).status).to.equal(204)
      expect(await listed()).to.deep.equal([])
      const absent = await withdraw()
      expect([absent.status, absent.body.code]).to.deep.equal([404, 'not_found'])
    })

    it('are answered once, by an event and an email to verified addresses', async () => {
      await addAccount('buyer@mobay.example')
      await addAccount('claimed@mobay.example', false)
      const { created_at } = (await request()).body
      await readChanges()
      expect(await events()).to.deep.equal([])
      await stockOf(OUT, 9)
      const data = { sku: OUT, band: 'IN_STOCK', customer_id: 'C-1001', requested_at: created_at }
      expect(await events()).to.deep.equal([{ resource_id: OUT, ...data }])
      expect(mails.map(({ to }) => to)).to.deep.equal(['buyer@mobay.example'])
      expect(mails[0]!.subject).to.match(/ is back in stock$/)
      expect(mails[0]!.text).to.include(`(${OUT})`).and.not.match(/\b9\b/)
      expect(await listed()).to.deep.equal([])
      await stockOf(OUT, 0)
      await stockOf(OUT, 9)
      expect(await events()).to.have.length(1)
    })

    it('are answered once by two processes at the same moment', async () => {
      await request()
      await setStock(control, 'acme', OUT, { available: 9, expected: [] })
      clock += 60_000
      await feed.tick()
      const rows = await listDue()
      expect(rows).to.have.length(1)
      const taken = await Promise.all([1, 2].map(() => takeBackInStockRequest(api.db, rows[0]!.request_id)))
      expect(taken.sort()).to.deep.equal([false, true])
    })

    it('wait while only a branch has the product', async () => {
      await request()
      const branches = [{ branch_id: 'KGN', name: '{"band":"LOW"', available: 9 }]
      await setStock(control, 'acme', OUT, { available: 0, expected: [], branches })
      await readChanges()
      expect(await events()).to.deep.equal([])
      await setStock(control, 'acme', OUT, { available: 0, expected: [], branches: [] })
    })

    it('wait while the product is withdrawn', async () => {
      await request()
      await updateProduct(control, 'acme', OUT, { active: false })
      await stockOf(OUT, 9)
      expect(await events()).to.deep.equal([])
      await updateProduct(control, 'acme', OUT, { active: true })
      await readChanges()
      expect(await events()).to.have.length(1)
    })

    it('are not answered by stock that was read before them', async () => {
      await setStock(control, 'acme', OUT, { available: 9, expected: [] })
      await readChanges()
      await setStock(control, 'acme', OUT, { available: 0, expected: [] })
      clock += 1_000
      await request()
      await readChanges()
      expect(await events()).to.deep.equal([])
      expect(await listed()).to.have.length(1)
    })

    it('are refused when the product is in stock again, although an old band is cached', async () => {
      await shopper.ask('GET', `/v1/products/${OUT}`)
      await setStock(control, 'acme', OUT, { available: 9, expected: [] })
      clock += 5_000
      await feed.tick()
      const { status, body } = await request()
      expect([status, body.code]).to.deep.equal([409, 'product_in_stock'])
    })

    for (const laterMs of [0, 1_000])
      it(`are answered when the change feed reads the stock ${laterMs} ms later, before they are stored`, async () => {
        const { backOffice } = api.upstreams.forTenant(tenant)!
        const { itemsNow } = backOffice
        clock += 60_000
        backOffice.itemsNow = async (...asked) => {
          const items = await itemsNow(...asked)
          await setStock(control, 'acme', OUT, { available: 9, expected: [] })
          clock += laterMs
          await feed.tick()
          return items
        }
        const { status } = await request().finally(() => Object.assign(backOffice, { itemsNow }))
        expect(status).to.equal(201)
        await readChanges()
        expect(await events()).to.have.length(1)
      })

    it('are refused for a product in stock, and for one that does not exist', async () => {
      const inStock = await request('BP-1001')
      expect([inStock.status, inStock.body.code]).to.deep.equal([409, 'product_in_stock'])
      const absent = await request('NO-SUCH')
      expect([absent.status, absent.body.code]).to.deep.equal([404, 'not_found'])
    })

    it('are at most fifty for a shopper, also at the same moment', async () => {
      const row = { tenant_id: 'acme', mode: 'sandbox' as const, customer_id: 'C-1001' }
      const times = { created_at: new Date(clock).toISOString(), expires_at: new Date(clock + DAY_MS).toISOString() }
      const rows = Array.from({ length: 49 }, (_, at) => ({
        ...row,
        ...times,
        request_id: `bis_${at}`,
        sku: `X-${at}`,
        slot: at + 1,
      }))
      await api.db.insertInto('back_in_stock_requests').values(rows).execute()
      const out = ['BP-1028', 'BP-1029', OUT]
      for (const sku of out) await setStock(control, 'acme', sku, { available: 0, expected: [] })
      api.upstreams.forTenant(tenant)!.backOffice.purge(null)
      const replies = await Promise.all(out.map((sku) => request(sku)))
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409])
      expect(replies.filter(({ status }) => status === 409).map(({ body }) => body.code)).to.deep.equal([
        'back_in_stock_limit',
        'back_in_stock_limit',
      ])
      expect(await listed()).to.have.length(50)
      const other = await cartShopper(api, { customer: 'C-1003' })
      expect((await request(OUT, other)).status).to.equal(201)
    })

    it('are answered behind a thousand others that still wait', async () => {
      const row = { tenant_id: 'acme', mode: 'sandbox' as const, sku: 'X-1', slot: 1 }
      const times = { created_at: new Date(clock).toISOString(), expires_at: new Date(clock + DAY_MS).toISOString() }
      const customers = Array.from({ length: 1_001 }, (_, at) => `A-${at}`)
      const rows = customers.map((customer_id) => ({ ...row, ...times, customer_id, request_id: `bis_${customer_id}` }))
      await api.db.insertInto('back_in_stock_requests').values(rows).execute()
      await request()
      await setStock(control, 'acme', OUT, { available: 9, expected: [] })
      await readChanges()
      clock += 60_000
      await feed.tick()
      expect(await events()).to.have.length(1)
    })

    it('belong to one customer of one tenant', async () => {
      await request()
      const other = await cartShopper(api, { customer: 'C-1003' })
      expect(await listed(other)).to.deep.equal([])
      expect((await withdraw(OUT, other)).status).to.equal(404)
      const live = await cartShopper(api, { mode: 'live' })
      expect(await listed(live)).to.deep.equal([])
      expect((await withdraw(OUT, live)).status).to.equal(404)
      expect(await listed()).to.have.length(1)
    })

    it('end after ninety days', async () => {
      await request()
      clock += 90 * DAY_MS
      expect(await listed()).to.deep.equal([])
      await pruneExpired(api.db, clock + 1)
      expect(await api.db.selectFrom('back_in_stock_requests').selectAll().execute()).to.deep.equal([])
      await stockOf(OUT, 9)
      expect(await events()).to.deep.equal([])
    })
  })
}
