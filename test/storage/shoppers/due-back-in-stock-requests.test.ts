import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { type BackInStockPage, readBackInStockPage } from '../../../src/storage/shoppers/due-back-in-stock-requests.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'live' } as const
const MADE = '2026-05-01T10:00:00.000Z'
const NOW = '2026-05-02T10:00:00.000Z'
const EXPIRES = '2026-08-01T10:00:00.000Z'

/** A product whose stock was read a minute after the requests were made. */
async function addProduct(db: Database, sku: string, band: string): Promise<void> {
  const row = { tenant_id: 'acme', mode: 'live' as const, id: sku, sequence: 0, due_on: null }
  const checked_at = '2026-05-01T10:01:00.000Z'
  const states = { stock: { band, eta: null }, product: { active: true, name: sku } }
  const rows = Object.entries(states).map(([type, state]) => ({
    ...row,
    type,
    checked_at,
    state: JSON.stringify(state),
  }))
  await db.insertInto('resources').values(rows).execute()
}

async function addRequests(db: Database, customer_id: string, skus: readonly string[], tenant_id = 'acme') {
  const row = { tenant_id, mode: 'live' as const, customer_id, created_at: MADE, expires_at: EXPIRES }
  const rows = skus.map((sku, at) => ({ ...row, sku, slot: at + 1, request_id: `${tenant_id} ${customer_id} ${sku}` }))
  await db.insertInto('back_in_stock_requests').values(rows).execute()
}

for (const store of stores()) {
  describe(`pages of back-in-stock requests over ${store.name}`, () => {
    afterEach(() => store.close())

    it('compare so many requests with the stock, and each once', async () => {
      const db = await store.open()
      await addProduct(db, 'BACK', 'IN_STOCK')
      await addProduct(db, 'GONE', 'OUT')
      await addRequests(db, 'C-1', ['GONE', 'BACK'])
      await addRequests(db, 'C-2', ['GONE'])
      await addRequests(db, 'C-3', ['BACK', 'GONE'])
      await addRequests(db, 'C-2', ['BACK'], 'globex')
      const pages: BackInStockPage[] = []
      for (let after: BackInStockPage['end'] = null; pages.length === 0 || after; after = pages.at(-1)!.end)
        pages.push(await readBackInStockPage(db, tenant, { now: NOW, after, size: 2 }))
      const found = pages.map(({ due, end }) => [due.map(({ request_id }) => request_id), end])
      expect(found).to.deep.equal([
        [['acme C-1 BACK'], { customer_id: 'C-1', slot: 2 }],
        [['acme C-3 BACK'], { customer_id: 'C-3', slot: 1 }],
        [[], null],
      ])
    })
  })
}
