import { expect } from 'chai'
import Type from 'typebox'
import { toInputSchema } from '../../../src/http/openapi/to-input-schema.ts'

describe('the input schemas of the OpenAPI document', () => {
  it('describe a request as the server accepts it: null for what may be missing, and defaults', () => {
    const input = Type.Object({
      sku: Type.String(),
      note: Type.Optional(Type.String()),
      limit: Type.Integer({ default: 5 }),
    })
    expect(toInputSchema(input)).to.deep.equal({
      type: 'object',
      required: ['sku'],
      properties: {
        sku: { type: 'string' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        limit: { type: 'integer', default: 5 },
      },
    })
  })
})
