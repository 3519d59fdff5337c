import { expect } from 'chai'
import { readChangePages } from '../../../../src/changes/feed/change-pager.ts'
import type { Call } from '../../../../src/ports/call.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../../../src/ports/change-feed.ts'
import type { StockChange } from '../../../../src/ports/inventory.ts'
import { createCall } from '../../../support/create-call.ts'
import type { Operation } from '../operations.ts'
import { type Requirement, requirementsOf } from '../requirement.ts'
import type { TestBench } from '../test-bench.ts'

const EPOCH = '2000-01-01T00:00:00.000Z'
const MAX_PAGE = 200

interface Feed<T> {
  of(bench: TestBench): ReadPage<T>
  idOf(row: T): string
  act: 'stock' | 'price' | 'order' | 'invoice'
}

type ReadPage<T> = (query: ChangeQuery, call: Call) => Promise<ChangePage<T>>

/** Reads all rows since a time, page by page. */
async function readAll<T>(readPage: ReadPage<T>, since: string, limit = MAX_PAGE): Promise<T[]> {
  const rows: T[] = []
  let [offset, more, cursor] = [0, true, undefined as string | undefined]
  while (more) {
    const page = await readPage({ since, limit, offset, cursor }, createCall())
    expect(page.changes.length).to.be.at.most(limit)
    rows.push(...page.changes)
    ;({ has_more: more, next_cursor: cursor } = page)
    offset = cursor === undefined ? offset + limit : 0
  }
  return rows
}

/** Returns the requirement of a feed that is read while it changes. */
function concurrentChangeRequirement<T extends ChangeTimestamp>(operation: Operation, { of, idOf, act }: Feed<T>) {
  return requirementsOf(operation, [
    'leaves out no row when another one changes between two pages',
    [`clerk.${act}`],
    async (bench) => {
      const readPage = (query: ChangeQuery) => of(bench)(query, createCall())
      const found = new Set<string>()
      let pages = 0
      for await (const rows of readChangePages<T>({ from: Date.parse(EPOCH), limit: 25, read: readPage, idOf })) {
        for (const row of rows) found.add(idOf(row))
        pages += 1
        if (pages === 1) await bench.clerk[act]()
      }
      expect(found).to.deep.equal(new Set((await readAll(of(bench), EPOCH)).map(idOf)))
    },
  ])
}

/** Returns the requirements of a change feed. */
function feedRequirements<T extends ChangeTimestamp>(operation: Operation, { of, idOf, act }: Feed<T>): Requirement[] {
  const read = (bench: TestBench, since: string, limit?: number) => readAll(of(bench), since, limit)
  const keysOf = (rows: readonly T[]) => rows.map((row) => `${row.updated_at} ${idOf(row)}`)

  return requirementsOf(
    operation,
    [
      'returns each row once, oldest change first, with its time in UTC',
      [],
      async (bench) => {
        const rows = await read(bench, EPOCH)
        expect(rows).to.not.deep.equal([])
        expect(new Set(rows.map(idOf)).size).to.equal(rows.length)
        for (const { updated_at } of rows) expect(new Date(updated_at).toISOString()).to.equal(updated_at)
        const times = rows.map(({ updated_at }) => updated_at)
        expect(times).to.deep.equal(times.toSorted())
      },
    ],
    [
      'pages without gaps and without overlap',
      [],
      async (bench) => {
        const whole = await read(bench, EPOCH)
        const since = whole.at(-Math.min(9, whole.length))!.updated_at
        expect(await read(bench, since, 2)).to.deep.equal(whole.filter(({ updated_at }) => updated_at >= since))
        const past = await of(bench)({ since: EPOCH, limit: 5, offset: 1_000_000 }, createCall())
        expect(past).to.deep.equal({ changes: [], has_more: false })
      },
    ],
    [
      'includes everything that changed exactly at `since`',
      [],
      async (bench) => {
        const instants = [...Map.groupBy(await read(bench, EPOCH), ({ updated_at }) => updated_at)]
        const [since, together] = instants.reduce((most, one) => (one[1].length > most[1].length ? one : most))
        const again = await read(bench, since, Math.max(1, Math.ceil(together.length / 3)))
        expect(keysOf(again).slice(0, together.length)).to.deep.equal(keysOf(together))
        expect(await read(bench, '2999-01-01T00:00:00.000Z', 50)).to.deep.equal([])
      },
    ],
    [
      'returns a change after a watermark as the last one',
      [`clerk.${act}`],
      async (bench) => {
        const before = (await read(bench, EPOCH)).at(-1)!
        const id = await bench.clerk[act]()
        const since = await read(bench, before.updated_at)
        expect(idOf(since.at(-1)!)).to.equal(id)
        expect(since.at(-1)!.updated_at >= before.updated_at).to.equal(true)
        expect((await read(bench, EPOCH)).filter((row) => idOf(row) === id)).to.deep.equal([since.at(-1)])
      },
    ],
  )
}

const stockFeed: Feed<StockChange> = {
  of: ({ inventory }) => inventory.stockChanges,
  idOf: ({ sku }) => sku,
  act: 'stock',
}
const priceFeed: Feed<ChangeTimestamp & { sku: string }> = {
  of: ({ pricing }) => pricing.priceChanges,
  idOf: ({ sku }) => sku,
  act: 'price',
}

export const changeRequirements = [
  ...feedRequirements('inventory.stockChanges', stockFeed),
  ...concurrentChangeRequirement('inventory.stockChanges', stockFeed),
  ...feedRequirements('pricing.priceChanges', priceFeed),
  ...concurrentChangeRequirement('pricing.priceChanges', priceFeed),
  ...feedRequirements('accounting.orderChanges', {
    of: ({ accounting }) => accounting.orderChanges,
    idOf: ({ order_id }) => order_id,
    act: 'order',
  }),
  ...feedRequirements('accounting.invoiceChanges', {
    of: ({ accounting }) => accounting.invoiceChanges,
    idOf: ({ invoice_id }) => invoice_id,
    act: 'invoice',
  }),
  ...requirementsOf('inventory.stockChanges', [
    'returns the current stock',
    [],
    async ({ inventory }) => {
      const { changes } = await inventory.stockChanges({ since: EPOCH, limit: 5, offset: 0 }, createCall())
      for (const { sku, stock } of changes) {
        const [item] = await inventory.items([sku], { product: false, stock: true }, createCall())
        expect(stock, sku).to.deep.equal(item!.stock)
      }
    },
  ]),
  ...requirementsOf('accounting.orderChanges', [
    'returns orders as a read of one does',
    ['accounting.order'],
    async ({ accounting }) => {
      for (const order of (await accounting.orderChanges({ since: EPOCH, limit: 30, offset: 0 }, createCall())).changes)
        expect(await accounting.order(order.customer_id, { order_id: order.order_id }, createCall())).to.deep.equal(
          order,
        )
    },
  ]),
  ...requirementsOf('accounting.invoiceChanges', [
    'returns invoices as a read of one does',
    ['accounting.invoice'],
    async ({ accounting }) => {
      for (const row of (await accounting.invoiceChanges({ since: EPOCH, limit: 30, offset: 0 }, createCall()))
        .changes) {
        const { customer_id, updated_at: _, ...invoice } = row
        expect(await accounting.invoice(customer_id, invoice.invoice_id, createCall())).to.deep.equal(invoice)
      }
    },
  ]),
]
