import { expect } from 'chai'
import { readRequestRecordSkus } from '../../src/http/request-record-skus.ts'

describe('the SKUs of a request', () => {
  const read = (params: unknown, body: unknown) =>
    readRequestRecordSkus({ params: params as Record<string, unknown>, body })

  it('are those of its path and its body', () => {
    expect(read({ sku: 'A' }, undefined)).to.deep.equal(['A'])
    expect(read({}, { sku: 'B', skus: ['C', 'B'], lines: [{ sku: 'D' }] })).to.deep.equal(['B', 'C', 'D'])
  })

  it('are also those that the problem of the response names', () => {
    const body = { cart_id: 'cart_1', sku: 'B' }
    expect(readRequestRecordSkus({ params: {}, body, refusedSkus: ['A', 'B'] })).to.deep.equal(['A', 'B'])
  })

  it('are few, whatever the body is', () => {
    const lines = Array.from({ length: 200 }, (_, index) => ({ sku: `S-${index}` }))
    expect(read({}, { lines }).length).to.equal(20)
    for (const body of [null, 'text', 7, [{ sku: 'A' }], { sku: 1, skus: 'A', lines: [null, 3] }])
      expect(read(undefined, body)).to.deep.equal([])
  })
})
