import { expect } from 'chai'
import Type from 'typebox'
import type { JsonObject } from '../../../src/http/openapi/json-object.ts'
import { replaceNamedSchemas } from '../../../src/http/openapi/replace-named-schemas.ts'

describe('the named schemas of the OpenAPI document', () => {
  it('may not share a name', () => {
    const components: JsonObject = {}
    replaceNamedSchemas(Type.Enum(['A'], { $id: 'Kind' }), components)
    replaceNamedSchemas(Type.Enum(['A'], { $id: 'Kind' }), components)
    expect(() => replaceNamedSchemas(Type.Enum(['B'], { $id: 'Kind' }), components)).to.throw(
      'Two schemas have the name Kind',
    )
  })
})
