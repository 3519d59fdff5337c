import { expect } from 'chai'
import { Type } from 'typebox'
import { skuRecordsShape } from '../../../adapters/tryton/catalog/sku-record-schema.ts'
import { UpstreamError } from '../../../src/errors.ts'

describe('tryton: records of SKUs', () => {
  const Records = skuRecordsShape(Type.Object({ code: Type.String(), id: Type.Integer() }))

  it('are parsed one by one, and none replaces an invalid one of its SKU', () => {
    const rows = [{ code: 'A', id: 1 }, { code: 'B', id: null }, { code: 'B', id: 2 }, { id: 3 }, null]
    expect(Records.parse(rows)).to.deep.equal([{ code: 'A', id: 1 }])
    expect(Records.parse([])).to.deep.equal([])
  })

  it('have the fields of their templates unless they have them themselves', () => {
    const Units = skuRecordsShape(Type.Object({ code: Type.String(), id: Type.Integer(), unit: Type.String() }))
    const row = { code: 'A', id: 1, 'template.': { id: 7, unit: 'u' } }
    expect(Units.parse([row])[0]).to.include({ id: 1, unit: 'u' })
    expect(Units.parse([{ ...row, unit: 'box' }])[0]).to.include({ id: 1, unit: 'box' })
  })

  it('are rejected when all are invalid, or when they are not a list', () => {
    for (const answer of [[{ code: 'A' }], { code: 'A', id: 1 }, null]) {
      expect(() => Records.parse(answer))
        .to.throw(UpstreamError)
        .with.property('failure', 'invalid')
    }
  })
})
