import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Type } from 'typebox'
import { findJsonSyntaxError } from '../../../src/http/validation/json-syntax-error.ts'
import { createRequestValidator } from '../../../src/http/validation/request-validator.ts'

describe('a malformed JSON body', () => {
  it('is described as Python describes it', () => {
    const file = new URL('../../../fixtures/contract/json-errors.json', import.meta.url)
    const recorded: [string, string, number][] = JSON.parse(readFileSync(file, 'utf8'))
    for (const [text, message, position] of recorded) {
      expect(findJsonSyntaxError(text), text).to.deep.equal({ message, position })
    }
  })

  it('is reported alone', () => {
    const limit = Type.Object({ limit: Type.Integer() })
    const result = createRequestValidator({ query: limit, body: limit })({
      query: 'limit=x',
      body: { kind: 'json', text: '{' },
    })
    expect(result.ok || result.detail.map((item) => item.type)).to.deep.equal(['json_invalid'])
  })
})
