import { setTimeout as pause } from 'node:timers/promises'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import { priceRow } from './upstream-rows.ts'

/** New list prices, written into the store as the change feed does, in pages at an even rate. */
export interface PriceChanges {
  /** The number of the first change. */
  from: number
  prices: number
  perSecond: number
  /** The products whose prices change. */
  among: number
}

/** Products in a page of a change feed. */
export const CHANGES_PER_PAGE = 100

/** The product and the amount of a change. */
export const toPriceChange = (number: number, among: number) => ({
  sku: `SKU-${1 + (number % (among - 1))}`,
  amount: `${number + 1}.25`,
})

const TENANT = { merchant: 'bench', mode: 'live' } as const

/** Returns when each page was committed, on the clock that all processes share. */
export async function storePriceChanges(
  db: Database,
  { from, prices, perSecond, among }: PriceChanges,
): Promise<number[]> {
  const committed: number[] = []
  const startedAt = performance.now()
  for (let first = 0; first < prices; first += CHANGES_PER_PAGE) {
    await pause(Math.max(0, startedAt + (first * 1_000) / perSecond - performance.now()))
    const numbers = Array.from({ length: CHANGES_PER_PAGE }, (_, index) => from + first + index)
    const rows = numbers.map((number) => toPrice(toPriceChange(number, among)))
    await transact(db, async (transaction) => {
      await putCatalogParts(transaction, TENANT, rows, new Date().toISOString())
    })
    committed.push(performance.timeOrigin + performance.now())
  }
  return committed
}

const toPrice = ({ sku, amount }: ReturnType<typeof toPriceChange>) => ({
  sku,
  price: JSON.stringify({ ...JSON.parse(priceRow(sku)), amount, list_amount: amount }),
  price_as_of: null,
})
