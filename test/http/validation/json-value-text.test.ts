import { expect } from 'chai'
import fc from 'fast-check'
import { createJsonValueTextFinder } from '../../../src/http/validation/json-value-text.ts'

type Loc = (string | number)[]

/** Every location in a value, with the value there. */
function* walk(value: unknown, loc: Loc = []): Generator<[Loc, unknown]> {
  yield [loc, value]
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* walk(item, [...loc, index])
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* walk(member, [...loc, key])
}

describe('the text of a value in JSON', () => {
  it('is found at every location', () => {
    const layouts = fc.constantFrom<string | number>('', 2, '\t', '\r\n ')
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), layouts, (value, layout) => {
        const text = ` ${JSON.stringify(value, null, layout)}\n`
        const find = createJsonValueTextFinder(text)
        for (const [loc, part] of walk(JSON.parse(text)))
          expect(JSON.parse(find(loc, text.length)!)).to.deep.equal(part)
      }),
    )
  })

  it('is that of the last member of a name', () => {
    const find = createJsonValueTextFinder('{"a":1,"\\u0061":2.0,"b":{"a":"}\\""},"a":[1.50 ,{}]}')
    expect(find(['a'], 99)).to.equal('[1.50 ,{}]')
    expect(find(['a', 0], 99)).to.equal('1.50')
    expect(find(['b'], 99)).to.equal('{"a":"}\\""}')
  })

  it('is undefined where there is none, or it is too long', () => {
    const find = createJsonValueTextFinder('{"list":[1,[2,3]],"text":"long"}')
    expect(find(['list', 1], 5)).to.equal('[2,3]')
    expect(find(['list', 1], 4)).to.equal(undefined)
    expect(find(['text'], 5)).to.equal(undefined)
    for (const loc of [['none'], ['list', 2], ['text', 'x'], ['list', 0, 'x']])
      expect(find(loc, 99), String(loc)).to.equal(undefined)
  })
})
