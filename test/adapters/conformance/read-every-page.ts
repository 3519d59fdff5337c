import { expect } from 'chai'
import type { PageRange } from '../../../src/ports/vehicle.ts'

const MANY = 20_000

/** Reads all rows of a list, and checks every page: its limit, a constant total, and an end. */
export async function readEveryPage<Row>(
  read: (
    page: PageRange,
  ) => Promise<{ has_more: boolean; total?: number | null } & ({ items: Row[] } | { rows: Row[] })>,
  limit = 200,
): Promise<Row[]> {
  const all: Row[] = []
  for (let more = true; more; ) {
    const page = await read({ limit, offset: all.length })
    const rows = 'items' in page ? page.items : page.rows
    expect(rows.length).to.be.at.most(limit)
    all.push(...rows)
    // A list that returns the first page again and again would never end.
    expect(all.length).to.be.at.most(page.total ?? MANY)
    more = page.has_more
    // Only the last page may be partial, because the next offset is counted from it.
    if (more) expect(rows.length, 'rows of a page that is not the last').to.equal(limit)
    else if (typeof page.total === 'number') expect(all.length, 'rows of all pages').to.equal(page.total)
  }
  return all
}
