import { expect } from 'chai'
import { createProductWrites } from '../../../adapters/odoo/catalog/written-products.ts'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createCall } from '../../support/create-call.ts'

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`)
const row = (id: number, time: string, members = {}) => ({
  id,
  default_code: `S-${id}`,
  write_date: `2026-11-23 ${time}`,
  active: true,
  sale_ok: true,
  ...members,
})

/** An Odoo that returns these records to every search, and keeps what it was asked. */
function startOdoo(records: object[]) {
  const asked: { domain: unknown[]; limit?: number }[] = []
  const search = async (_shape: unknown, _model: string, one: { domain: unknown[] }) => {
    asked.push(one)
    return { length: records.length, records }
  }
  const rpc = { search } as unknown as Rpc
  return { asked, writes: createProductWrites({ rpc, companyDomain: [], publishedOnly: false }) }
}
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

describe('odoo: written products', () => {
  it('are read in one call for feeds that ask at the same time, and each gets its own', async () => {
    const { asked, writes } = startOdoo([
      row(1, '10:00:00'),
      row(2, '11:00:00', { sale_ok: false }),
      row(3, '12:00:00'),
    ])
    const [products, priced, hasStock] = await Promise.all([
      writes.readProducts(at('11:00:00'), createCall()),
      writes.readPriced(at('09:00:00'), createCall()),
      writes.mayHaveStockChanges(at('13:00:00'), createCall()),
    ])
    expect([idsOf(products), idsOf(priced), hasStock]).to.deep.equal([[2, 3], [1, 3], true])
    expect(asked).to.have.length(1)
    const times = asked[0]!.domain.flatMap((one) => (Array.isArray(one) && one[1] === '>=' ? [one[2]] : []))
    expect(new Set(times)).to.deep.equal(new Set(['2026-11-23 11:00:00', '2026-11-23 09:00:00', '2026-11-23 13:00:00']))
  })

  it('have changed nothing when there are none', async () => {
    const { asked, writes } = startOdoo([])
    const since = at('10:00:00')
    const answers = await Promise.all([
      writes.readPriced(since, createCall()),
      writes.mayHaveStockChanges(since, createCall()),
    ])
    expect([answers, asked.length]).to.deep.equal([[[], false], 1])
  })

  it('are read again for a feed that asks after the others, or a second time', async () => {
    const { asked, writes } = startOdoo([])
    await Promise.all([writes.readProducts(1_000, createCall()), writes.readProducts(2_000, createCall())])
    expect(asked).to.have.length(2)
    await writes.mayHaveStockChanges(1_000, createCall())
    expect(asked).to.have.length(3)
    expect(asked[2]).to.include({ limit: 1 })
  })
})
