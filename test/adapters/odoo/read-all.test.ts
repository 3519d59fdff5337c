import { expect } from 'chai'
import { Type } from 'typebox'
import { MAX_RECORDS, readAll } from '../../../adapters/odoo/client/read-all.ts'
import { foundShape, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

const Rows = foundShape(Type.Object({ id: Type.Integer() }))

/** An Odoo with so many records, whose ids have gaps. */
function tableOf(size: number): Pick<Rpc, 'search'> {
  const ids = Array.from({ length: size }, (_, i) => 3 * i + 1)
  return {
    search: async (_shape, _model, { domain, limit }) => {
      const [, , last] = domain.at(-1) as [string, string, number]
      const records = ids.filter((id) => id > last).slice(0, limit)
      return { length: records.length, records: records.map((id) => ({ id })) as never[] }
    },
  }
}

const read = (size: number) =>
  readAll(tableOf(size), Rows, 'sale.order', { domain: [], specification: {} }, createCall())

describe('odoo: all records of a domain', () => {
  for (const size of [0, 10_000, 60_001])
    it(`reads ${size}`, async () => {
      expect(new Set((await read(size)).map(({ id }) => id)).size).to.equal(size)
    })

  it('fails beyond its limit instead of leaving records out', async () => {
    expect(await failureOf(read(MAX_RECORDS + 1))).to.include({ failure: 'overloaded' })
  })
})
