import { expect } from 'chai'
import { type CheckedResponse, createResponseChecker, type OutageTimes } from './check-response.ts'

const DIED_AT = 1_000_000
const BOUND_MS = 10_000
const PRODUCT = { sku: 'A', name: 'Pad', mpn: null, price: { amount: '5.00' }, availability: null }

function createSetup(times: Partial<OutageTimes> = {}) {
  const { check } = createResponseChecker([PRODUCT], { boundMs: BOUND_MS, diedAt: DIED_AT, backAt: null, ...times })
  const list = (sentAt: number, response: Partial<CheckedResponse> = {}): string[] =>
    check({
      kind: 'list',
      path: '/v1/products',
      sentAt,
      receivedAt: sentAt + 5,
      status: 200,
      body: { data: [PRODUCT], errors: [] },
      ...response,
    })
  const marked = (sentAt: number, fields: readonly string[], asOf: number, data: object[] = [PRODUCT]) => {
    const as_of = new Date(asOf).toISOString()
    const errors = fields.map((field) => ({ field, code: 'downstream_unavailable', stale: true, as_of }))
    return list(sentAt, { body: { data, errors } })
  }
  return { list, marked }
}

describe('the check of responses during an outage', () => {
  it('accepts sections without marks within the bound, and marked ones with a possible age beyond it', () => {
    const { list, marked } = createSetup()
    expect(list(DIED_AT + 5_000)).to.deep.equal([])
    expect(list(DIED_AT + 5_000, { status: 304, body: undefined })).to.deep.equal([])
    expect(marked(DIED_AT + 10_001, ['data', 'price'], DIED_AT - 100)).to.deep.equal([])
  })

  it('rejects failures, and sections without a mark beyond the bound', () => {
    const { list } = createSetup()
    expect(list(DIED_AT, { status: 503 })).to.deep.equal(['status 503'])
    expect(list(DIED_AT, { status: 0 })).to.deep.equal(['no response'])
    expect(list(DIED_AT + 10_001)).to.deep.equal(['data is not marked', 'price is not marked'])
    expect(list(DIED_AT + 10_001, { status: 304, body: undefined })).to.have.lengthOf(1)
    expect(createSetup().marked(DIED_AT + 10_001, ['data'], DIED_AT - 100)).to.deep.equal(['price is not marked'])
    const errors = [{ field: 'price', code: 'circuit_open' }]
    expect(list(DIED_AT, { body: { data: [PRODUCT], errors } })).to.deep.equal(['price failed with circuit_open'])
  })

  it('rejects ages that are not possible', () => {
    const { list, marked } = createSetup()
    expect(marked(DIED_AT + 5_000, ['data', 'price'], DIED_AT - 100)).to.deep.equal([
      'data is marked within the bound',
      'price is marked within the bound',
    ])
    expect(marked(DIED_AT + 20_000, ['data', 'price'], DIED_AT + 1)).to.have.lengthOf(2)
    expect(list(DIED_AT - 1)).to.deep.equal([])
    expect(marked(DIED_AT + 20_000, ['data', 'price'], DIED_AT - BOUND_MS - 2)).to.have.lengthOf(2)
  })

  it('rejects content that differs, but for times', () => {
    const { list, marked } = createSetup()
    expect(list(DIED_AT)).to.deep.equal([])
    const other = { ...PRODUCT, price: { amount: '6.00', as_of: 'x' } }
    expect(list(DIED_AT, { body: { data: [other], errors: [] } })).to.deep.equal([
      'A differs from what the catalog said of it',
      'the content differs from an earlier response',
    ])
    const dated = { ...PRODUCT, price: { amount: '5.00', as_of: 'x' } }
    expect(marked(DIED_AT + 20_000, ['data', 'price'], DIED_AT, [dated])).to.deep.equal([])
  })

  it('expects no marks when the systems are back', () => {
    const { list } = createSetup({ backAt: DIED_AT + 20_000 })
    expect(list(DIED_AT + 19_996)).to.deep.equal([])
    expect(list(DIED_AT + 19_990)).to.have.lengthOf(2)
  })
})
