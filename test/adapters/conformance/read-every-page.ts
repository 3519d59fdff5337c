import { expect } from 'chai'
import type { PageRange } from '../../../src/ports/inventory.ts'

const MANY = 20_000

/** All rows of a list, page by page, with what every page must hold to: its limit, a total that stays, and an end. */
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
    // One that begins every page at the start would never come to its end.
    expect(all.length).to.be.at.most(page.total ?? MANY)
    more = page.has_more
    // A page that is not full is the last: the next one begins after it.
    if (more) expect(rows.length, 'rows of a page that is not the last').to.equal(limit)
    else if (typeof page.total === 'number') expect(all.length, 'rows of all pages').to.equal(page.total)
  }
  return all
}
