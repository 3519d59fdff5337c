import { expect } from 'chai'
import { recognizeId } from '../../../src/cli/why/recognize-id.ts'
import { describeUnknownId } from '../../../src/cli/why/unknown-id-text.ts'
import { generateApiKey } from '../../../src/storage/keys/api-key-format.ts'

describe('an id that is not of a request', () => {
  for (const id of ['SO-200001', '200001', 'so200001', 'C-1001', 'BP-1001', '#1001'])
    it(`is a number: ${id}`, () =>
      expect(recognizeId(id)).to.deep.equal({ kind: 'the number of an order, a customer or a product' }))

  it('is a code, or an id of something else', () => {
    expect(recognizeId('Downstream_Timeout')?.kind).to.equal('an error code')
    expect(recognizeId('cart_1')?.kind).to.equal('the id of a cart')
    expect(recognizeId('whk_1')?.kind).to.equal('the id of a webhook endpoint')
  })

  for (const id of ['nobody', 'GjhLM1a7fy-1', 'AbC-1f', '3f2b8c1e-0000-4000-8000-000000000000'])
    it(`may be one: ${id}`, () => expect(recognizeId(id)).to.equal(null))

  it('is not repeated when it is secret', () => {
    const key = generateApiKey('publishable', 'sandbox')
    for (const secret of [key, `Bearer${key}`, 'whsec_abc123', 'buyer@acme.example']) {
      expect(describeUnknownId(secret)).to.match(
        /^This is an? .*, not the id of a request, so it is not repeated here\./,
      )
      expect(describeUnknownId(secret)).not.to.include(secret)
    }
  })
})
