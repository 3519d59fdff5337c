import type { Call } from '../../../../src/ports/call.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../../../src/ports/change-feed.ts'
import { changeMethod, changeResult, type Mutate } from './change-port.ts'
import { type Mutant, mutantsOf } from './mutant.ts'

const feeds = [
  'inventory.stockChanges',
  'pricing.priceChanges',
  'accounting.orderChanges',
  'accounting.invoiceChanges',
] as const
type FeedOperation = (typeof feeds)[number]

type Page = ChangePage<ChangeTimestamp>
type ReadPage = (query: ChangeQuery, call: Call) => Promise<Page>

/** Changes a feed, whatever its rows are. */
const changeFeed = (operation: FeedOperation, change: (read: ReadPage) => ReadPage) =>
  changeMethod(operation, (read) => change(read as unknown as ReadPage) as unknown as typeof read)
const changePage = (operation: FeedOperation, change: (page: Page, query: ChangeQuery) => Page): Mutate =>
  changeFeed(operation, (read) => async (query, call) => change(await read(query, call), query))

const justAfter = (moment: string) => new Date(Date.parse(moment) + 1).toISOString()
/** 2026-01-01T10:00:00.000Z is 2026-01-01T05:00:00.000-05:00. */
const toLocalTime = (moment: string) =>
  new Date(Date.parse(moment) - 5 * 3_600_000).toISOString().replace('Z', '-05:00')

function mutantsOfFeed(operation: FeedOperation): Mutant[] {
  return mutantsOf(
    operation,
    [
      `returns the newest change first in ${operation}`,
      'oldest change first',
      changePage(operation, (page) => ({ ...page, changes: page.changes.toReversed() })),
    ],
    [
      `returns local times in ${operation}`,
      'with its time in UTC',
      changePage(operation, (page) => ({
        ...page,
        changes: page.changes.map((row) => ({ ...row, updated_at: toLocalTime(row.updated_at) })),
      })),
    ],
    [
      `forgets the last row of a page of ${operation}`,
      'without gaps',
      changePage(operation, (page) => (page.has_more ? { ...page, changes: page.changes.slice(0, -1) } : page)),
    ],
    [
      `leaves out what changed exactly at \`since\` in ${operation}`,
      'exactly at `since`',
      changeFeed(operation, (read) => (query, call) => read({ ...query, since: justAfter(query.since) }, call)),
    ],
    [
      `keeps back the newest change of ${operation}`,
      'as the last one',
      changePage(operation, (page) => (page.has_more ? page : { ...page, changes: page.changes.slice(0, -1) })),
    ],
  )
}

const concurrentChangeMutants = (['inventory.stockChanges', 'pricing.priceChanges'] as const).flatMap((operation) =>
  mutantsOf(operation, [
    `continues one row too late after a cursor of ${operation}`,
    'between two pages',
    changePage(operation, (page, { cursor }) =>
      cursor === undefined ? page : { ...page, changes: page.changes.slice(1) },
    ),
  ]),
)

export const changeFeedMutants = [
  ...feeds.flatMap(mutantsOfFeed),
  ...concurrentChangeMutants,
  ...mutantsOf('inventory.stockChanges', [
    'reports other stock than it returns',
    'the current stock',
    changeResult('inventory.stockChanges', (page) => ({
      ...page,
      changes: page.changes.map((row) => ({ ...row, stock: { ...row.stock, available: row.stock.available + 1 } })),
    })),
  ]),
  ...mutantsOf('accounting.orderChanges', [
    'reports orders without their lines',
    'as a read of one does',
    changeResult('accounting.orderChanges', (page) => ({
      ...page,
      changes: page.changes.map((order) => ({ ...order, lines: [] })),
    })),
  ]),
  ...mutantsOf('accounting.invoiceChanges', [
    'reports invoices without their payments',
    'as a read of one does',
    changeResult('accounting.invoiceChanges', (page) => ({
      ...page,
      changes: page.changes.map((invoice) => ({ ...invoice, payments: [] })),
    })),
  ]),
]
