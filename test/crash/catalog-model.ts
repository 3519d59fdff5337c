import type { SeededRandom } from './seeded-random.ts'

/** A record of the upstream's inventory. Several records may have one SKU. */
export interface ModelRecord {
  id: number
  sku: string
  name: string
  category: string
  active: boolean
  updatedAt: number
}

/** What a shopper sees of a product. */
export interface VisibleProduct {
  name: string
  category: string
  amount: string
  band: string
}

interface Timed<V> {
  value: V
  updatedAt: number
}

/** The catalog of the upstream, changed at random. Names and prices contain a version number that rises with each change. */
export interface CatalogModel {
  readonly records: ReadonlyMap<number, ModelRecord>
  readonly stock: ReadonlyMap<string, Timed<number>>
  readonly prices: ReadonlyMap<string, Timed<string>>
  /** SKUs that have had several records: what is seen of them may go back to an older record. */
  readonly doubled: ReadonlySet<string>
  /** All bands that a SKU has had, in order. */
  readonly bands: ReadonlyMap<string, readonly string[]>
  /** How often each kind of change was made. */
  readonly counts: ReadonlyMap<string, number>
  change(): void
  /** Returns the records of a SKU, the one that counts first: an active one, then the oldest. */
  recordsOf(sku: string): ModelRecord[]
  /** Returns the number of active records in a category. */
  countIn(category: string): number
  /** Returns what each SKU must look like; a withdrawn or deleted one is missing. */
  visible(): Map<string, VisibleProduct>
}

export const CATEGORIES = ['brakes', 'filters', 'lamps', 'belts']

const LEVELS = [0, 3, 50]
const BANDS = new Map([
  [0, 'OUT'],
  [3, 'LOW'],
  [50, 'IN_STOCK'],
])
/** A change may become visible this late after its time. Below the overlap of the feed. */
const MAX_LATE_MS = 3_000
/** How often each kind of change is made, in relation to the others. */
const WEIGHTS = {
  create: 10,
  rename: 25,
  reprice: 20,
  restock: 20,
  move: 8,
  withdraw: 6,
  restore: 6,
  remove: 3,
  double: 3,
  settle: 2,
}
type Change = keyof typeof WEIGHTS
const CHANGES = Object.entries(WEIGHTS).flatMap(([name, weight]) => new Array<Change>(weight).fill(name as Change))

export const versionOf = (text: string): number => Number(/\d+/.exec(text)?.[0])

export function createCatalogModel(random: SeededRandom, { products }: { products: number }): CatalogModel {
  const records = new Map<number, ModelRecord>()
  const stock = new Map<string, Timed<number>>()
  const prices = new Map<string, Timed<string>>()
  const bands = new Map<string, string[]>()
  const counts = new Map<string, number>()
  const doubled = new Set<string>()
  const removed: string[] = []
  let version = 0
  let ids = 0
  let skus = 0

  const newName = () => `Part v${++version}`
  /** Later than the change before it, and sometimes in the past. */
  const timeAfter = (before = 0) =>
    Math.max(before + 1, Date.now() - (random.next() < 0.2 ? random.between(0, MAX_LATE_MS) : 0))

  function addRecord(sku: string): void {
    const record = { sku, name: newName(), category: random.of(CATEGORIES), active: true, updatedAt: timeAfter() }
    records.set(++ids, { id: ids, ...record })
  }
  function restock(sku: string): void {
    const level = random.of(LEVELS)
    stock.set(sku, { value: level, updatedAt: timeAfter(stock.get(sku)?.updatedAt) })
    const known = bands.get(sku) ?? []
    bands.set(sku, [...known, BANDS.get(level)!])
  }
  function reprice(sku: string): void {
    prices.set(sku, { value: `${++version}.00`, updatedAt: timeAfter(prices.get(sku)?.updatedAt) })
  }
  function create(): void {
    const returned = random.next() < 0.2 ? removed.shift() : undefined
    const sku = returned ?? `S-${++skus}`
    addRecord(sku)
    restock(sku)
    reprice(sku)
  }
  function edit(record: ModelRecord, change: Partial<ModelRecord>): void {
    records.set(record.id, { ...record, ...change, updatedAt: timeAfter(record.updatedAt) })
  }
  function remove(sku: string): void {
    for (const { id } of recordsOf(sku)) records.delete(id)
    stock.delete(sku)
    prices.delete(sku)
    removed.push(sku)
  }
  function recordsOf(sku: string): ModelRecord[] {
    const found = [...records.values()].filter((record) => record.sku === sku)
    return found.sort((a, b) => Number(b.active) - Number(a.active) || a.id - b.id)
  }
  const anyRecord = (active = true) => random.of([...records.values()].filter((record) => record.active === active))

  const changes: Record<Change, () => void> = {
    create,
    rename: () => edit(anyRecord(), { name: newName() }),
    reprice: () => reprice(anyRecord().sku),
    restock: () => restock(anyRecord().sku),
    move: () => edit(anyRecord(), { category: random.of(CATEGORIES) }),
    withdraw: () => edit(anyRecord(), { active: false }),
    restore() {
      const record = anyRecord(false)
      if (record) edit(record, { active: true, name: newName() })
    },
    remove: () => remove(anyRecord().sku),
    double() {
      const { sku } = anyRecord()
      doubled.add(sku)
      addRecord(sku)
    },
    settle() {
      const sku = [...doubled].find((one) => recordsOf(one).length > 1)
      if (sku !== undefined) records.delete(random.of(recordsOf(sku)).id)
    },
  }

  for (let i = 0; i < products; i++) create()
  return {
    records,
    stock,
    prices,
    doubled,
    bands,
    counts,
    recordsOf,
    countIn: (category) =>
      [...records.values()].filter((record) => record.active && record.category === category).length,
    change() {
      const name = random.of(CHANGES)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      changes[name]()
    },
    visible() {
      const all = [...new Set([...records.values()].map(({ sku }) => sku))].sort()
      return new Map(
        all.flatMap((sku) => {
          const { name, category, active } = recordsOf(sku)[0]!
          const band = BANDS.get(stock.get(sku)!.value)!
          return active ? [[sku, { name, category, amount: prices.get(sku)!.value, band }]] : []
        }),
      )
    },
  }
}
