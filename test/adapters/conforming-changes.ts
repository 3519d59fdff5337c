import { expect } from 'chai'
import type { Call } from '../../src/ports/call.ts'
import type { Changed, ChangePage, ChangeQuery } from '../../src/ports/change.ts'
import { type Clerk, call, failsWell, type Ports, type Subject } from './subject.ts'

type Read<T> = (query: ChangeQuery, call: Call) => Promise<ChangePage<T>>

const EVER = '2000-01-01T00:00:00.000Z'

/** What a feed of changes must do, whatever it is that changes. */
function conformingFeed<T extends Changed>(
  name: string,
  { of, idOf, changed }: { of: (ports: Ports) => Read<T> | undefined; idOf: (row: T) => string; changed: keyof Clerk },
  subject: () => Subject,
): void {
  /** Every row since a moment, by pages of that many. */
  async function read(since: string, limit: number): Promise<T[]> {
    const rows: T[] = []
    for (let offset = 0, more = true; more; offset += limit) {
      const page = await of(subject())!({ since, limit, offset }, call())
      expect(page.changes.length).to.be.at.most(limit)
      rows.push(...page.changes)
      more = page.has_more
    }
    return rows
  }
  const keysOf = (rows: readonly T[]) => rows.map((row) => `${row.updated_at} ${idOf(row)}`)

  describe(name, () => {
    it('answers each once, oldest change first, with its moment in UTC', async () => {
      if (!of(subject())) return
      const rows = await read(EVER, 200)
      expect(rows).to.not.deep.equal([])
      expect(new Set(rows.map(idOf)).size).to.equal(rows.length)
      for (const { updated_at } of rows) expect(new Date(updated_at).toISOString()).to.equal(updated_at)
      expect(rows.map(({ updated_at }) => updated_at)).to.deep.equal(rows.map(({ updated_at }) => updated_at).sort())
    })

    it('pages without gaps and without overlap', async () => {
      if (!of(subject())) return
      const whole = await read(EVER, 200)
      const since = whole.at(-Math.min(9, whole.length))!.updated_at
      expect(await read(since, 2)).to.deep.equal(whole.filter(({ updated_at }) => updated_at >= since))
      expect(await of(subject())!({ since: EVER, limit: 5, offset: 1_000_000 }, call())).to.deep.equal({
        ...{ changes: [], has_more: false },
      })
    })

    it('shows what changed at its bound, and all that changed at that instant', async () => {
      if (!of(subject())) return
      const whole = await read(EVER, 200)
      const instants = [...Map.groupBy(whole, ({ updated_at }) => updated_at)]
      const [since, together] = instants.reduce((most, one) => (one[1].length > most[1].length ? one : most))
      const again = await read(since, 1)
      expect(keysOf(again).slice(0, together.length)).to.deep.equal(keysOf(together))
      expect(await read('2999-01-01T00:00:00.000Z', 50)).to.deep.equal([])
    })

    it('shows, from a watermark on, what changed after it, as the last', async () => {
      const change = subject().clerk?.[changed]
      if (!of(subject()) || !change) return
      const before = (await read(EVER, 200)).at(-1)!
      const id = await change()
      const since = await read(before.updated_at, 200)
      expect(idOf(since.at(-1)!)).to.equal(id)
      expect(since.at(-1)!.updated_at >= before.updated_at).to.equal(true)
      expect((await read(EVER, 200)).filter((row) => idOf(row) === id)).to.deep.equal([since.at(-1)])
    })

    failsWell((ports, asked) => {
      const feed = of(ports)
      return feed ? [feed({ since: EVER, limit: 1, offset: 0 }, asked)] : []
    }, subject)
  })
}

export function conformingChanges(subject: () => Subject): void {
  conformingFeed(
    'inventory.stockChanges',
    { of: ({ inventory }) => inventory?.stockChanges, idOf: ({ sku }) => sku, changed: 'stock' },
    subject,
  )
  conformingFeed(
    'pricing.priceChanges',
    { of: ({ pricing }) => pricing?.priceChanges, idOf: ({ sku }) => sku, changed: 'price' },
    subject,
  )
  conformingFeed(
    'accounting.orderChanges',
    { of: ({ accounting }) => accounting?.orderChanges, idOf: ({ order_id }) => order_id, changed: 'order' },
    subject,
  )
  conformingFeed(
    'accounting.invoiceChanges',
    { of: ({ accounting }) => accounting?.invoiceChanges, idOf: ({ invoice_id }) => invoice_id, changed: 'invoice' },
    subject,
  )
  conformingRows(subject)
}

/** What the rows of a feed hold: the same as is answered to those who ask for one. */
function conformingRows(subject: () => Subject): void {
  const newest = { since: EVER, limit: 200, offset: 0 }

  describe('what a change feed shows', () => {
    it('is the stock, the order and the invoice as they are now', async () => {
      const { inventory, accounting } = subject()
      for (const { sku, stock } of (await inventory?.stockChanges?.({ ...newest, limit: 5 }, call()))?.changes ?? []) {
        const [item] = await inventory!.items([sku], { product: false, stock: true }, call())
        expect(stock, sku).to.deep.equal(item!.stock)
      }
      for (const order of (await accounting?.orderChanges?.(newest, call()))?.changes ?? []) {
        const read = await accounting!.order!(order.customer_id, { order_id: order.order_id }, call())
        expect(order).to.deep.equal(read)
      }
      for (const row of (await accounting?.invoiceChanges?.(newest, call()))?.changes ?? []) {
        const { customer_id, updated_at: _, ...invoice } = row
        expect(invoice).to.deep.equal(await accounting!.invoice!(customer_id, invoice.invoice_id, call()))
      }
    })
  })
}
