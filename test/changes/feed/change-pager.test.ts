import { expect } from 'chai'
import { readChangePages } from '../../../src/changes/feed/change-pager.ts'
import type { ChangePage, ChangeQuery } from '../../../src/ports/change-feed.ts'
import { failureOf } from '../../support/failure-of.ts'

interface Row {
  id: string
  updated_at: string
}

const row = (id: string): Row => ({ id, updated_at: '2026-03-01T00:00:00.000Z' })

describe('the pages of a change feed with cursors', () => {
  async function readAll(pages: Record<string, ChangePage<Row>>) {
    const queries: Partial<ChangeQuery>[] = []
    const found: string[][] = []
    const read = async ({ since: _, limit: __, ...query }: ChangeQuery) => {
      queries.push(query)
      return pages[query.cursor ?? 'first']!
    }
    for await (const rows of readChangePages({ from: 0, limit: 2, read, idOf: ({ id }: Row) => id }))
      found.push(rows.map(({ id }) => id))
    return { queries, found }
  }

  it('are read by cursor, past one without a readable row', async () => {
    const { queries, found } = await readAll({
      first: { changes: [row('A'), row('B')], has_more: true, next_cursor: 'b' },
      b: { changes: [], has_more: true, next_cursor: 'd' },
      d: { changes: [row('E')], has_more: false },
    })
    expect(found).to.deep.equal([['A', 'B'], [], ['E']])
    expect(queries).to.deep.equal([{ offset: 0 }, { offset: 0, cursor: 'b' }, { offset: 0, cursor: 'd' }])
  })

  it('are not read forever when the cursor does not move, and not ended early without one', async () => {
    const stuck = { changes: [row('A')], has_more: true, next_cursor: 'a' }
    expect((await failureOf(readAll({ first: stuck, a: stuck }))).failure).to.equal('invalid')
    const lost = { changes: [row('B')], has_more: true }
    expect((await failureOf(readAll({ first: stuck, a: lost }))).failure).to.equal('invalid')
  })
})
