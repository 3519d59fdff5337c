import { expect } from 'chai'
import Type from 'typebox'
import type { JsonObject } from '../../../src/http/openapi/json-object.ts'
import { nameInlineSchemas } from '../../../src/http/openapi/name-inline-schemas.ts'
import { replaceNamedSchemas } from '../../../src/http/openapi/replace-named-schemas.ts'

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('the inline schemas of the OpenAPI document', () => {
  it('get a name from their place where a contract gave none', () => {
    const components: Record<string, JsonObject> = {}
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
})
