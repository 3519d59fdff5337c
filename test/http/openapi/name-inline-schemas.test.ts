import { expect } from 'chai'
import Type from 'typebox'
import type { Json } from '../../../src/http/openapi/json-object.ts'
import { nameInlineSchemas } from '../../../src/http/openapi/name-inline-schemas.ts'
import { replaceNamedSchemas } from '../../../src/http/openapi/replace-named-schemas.ts'
import { toInputSchema } from '../../../src/http/openapi/to-input-schema.ts'

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('the schemas of the OpenAPI document', () => {
  it('get a name from their place where a contract gave none', () => {
    const components: Record<string, Json> = {}
    const line = Type.Object({
      last_status: Type.Enum(['ADDED', 'REFUSED']),
      size: Type.Object({ width: Type.Number() }),
    })
    replaceNamedSchemas(Type.Object({ lines: Type.Array(line) }, { $id: 'Cart' }), components)
    nameInlineSchemas(components)
    expect(components.Cart).to.deep.include({ properties: { lines: { type: 'array', items: refer('CartLines') } } })
    expect(components.CartLines).to.deep.include({
      properties: { last_status: refer('CartLinesLastStatus'), size: refer('CartLinesSize') },
    })
    expect(components.CartLinesLastStatus).to.deep.equal({ type: 'string', enum: ['ADDED', 'REFUSED'] })
  })

  it('may not share a name', () => {
    const components: Json = {}
    replaceNamedSchemas(Type.Enum(['A'], { $id: 'Kind' }), components)
    replaceNamedSchemas(Type.Enum(['A'], { $id: 'Kind' }), components)
    expect(() => replaceNamedSchemas(Type.Enum(['B'], { $id: 'Kind' }), components)).to.throw(
      'Two schemas have the name Kind',
    )
  })

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
