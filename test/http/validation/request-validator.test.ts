import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from 'typebox'
import { createRequestValidator } from '../../../src/http/validation/request-validator.ts'

const { Optional } = Type
const Line = Type.Object({
  sku: Type.String({ minLength: 1, maxLength: 5 }),
  quantity: Type.Number({ exclusiveMinimum: 0 }),
  count: Optional(Type.Integer({ minimum: 1 })),
})
const Order = Type.Object({
  id: Type.String(),
  lines: Type.Array(Line, { minItems: 1 }),
  at: Optional(Type.String({ format: 'date-time' })),
  day: Optional(Type.String({ format: 'date' })),
  url: Optional(Type.String({ format: 'uri' })),
  urgent: Type.Boolean({ default: false }),
  kind: Optional(Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Literal('c')])),
  parent: Optional(Type.Union([Line, Type.Null()])),
})
const Query = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  id: Optional(Type.Integer()),
  since: Optional(Type.String({ format: 'date-time' })),
  price: Optional(Type.Number()),
})

const order = createRequestValidator({ query: Query, body: Order })
const quiet = createRequestValidator({ query: Query, body: Order }, { echo: false })
const query = createRequestValidator({ query: Query })
const json = (value: unknown) => ({ kind: 'json' as const, text: JSON.stringify(value) })

function errorsOf(result: ReturnType<typeof order> | ReturnType<typeof query>) {
  return result.ok ? [] : result.detail
}

/** Values similar to the schema, so that they pass its first checks. */
const near = fc.record(
  {
    id: fc.oneof(fc.string(), fc.jsonValue()),
    lines: fc.oneof(
      fc.array(fc.record({ sku: fc.jsonValue(), quantity: fc.jsonValue() }, { requiredKeys: [] })),
      fc.jsonValue(),
    ),
    at: fc.oneof(fc.string(), fc.double(), fc.jsonValue()),
    day: fc.oneof(fc.string(), fc.double()),
    url: fc.oneof(fc.webUrl(), fc.string()),
    urgent: fc.jsonValue(),
    kind: fc.jsonValue(),
    parent: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

describe('validating input', () => {
  it('returns a value or errors for any JSON and any query string', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), fc.string(), (body, text) => {
        const result = order({ query: text, body: json(body) })
        if (result.ok) expect(result.value).to.have.keys('params', 'query', 'headers', 'body')
        else expect(result.detail).to.not.equal([])
      }),
    )
  })

  it('returns a value or errors for any text as a body', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0123e-. \n\ud83d😀nulltrue') }), (text) => {
        const result = order({ body: { kind: 'json', text } })
        expect(result.ok || result.detail.length > 0).to.equal(true)
      }),
    )
  })

  it('accepts only exact integers and finite numbers', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789+-_.e '), maxLength: 25 })
    const numerals = fc.oneof(digits, fc.double().map(String), fc.constantFrom('nan', 'inf', '-Infinity', '1e999'))
    fc.assert(
      fc.property(numerals, (numeral) => {
        const sent = encodeURIComponent(numeral)
        const result = query({ query: `id=${sent}&price=${sent}` })
        if (!result.ok) return
        expect(Number.isSafeInteger(result.value.query.id)).to.equal(true)
        expect(Number.isFinite(result.value.query.price)).to.equal(true)
      }),
    )
  })

  it('keeps only declared members, in lists too', () => {
    const sent = { id: 'x', tenant_id: 'evil', lines: [{ sku: 'a', quantity: '2', price: 0 }] }
    expect(order({ query: 'page=2&limit=5', body: json(sent) })).to.deep.equal({
      ok: true,
      value: {
        params: {},
        query: { limit: 5 },
        headers: {},
        body: { id: 'x', lines: [{ sku: 'a', quantity: 2 }], urgent: false },
      },
    })
  })

  it('is not harmed by __proto__ and constructor', () => {
    const text =
      '{"id":"x","lines":[{"sku":"a","quantity":1,"__proto__":{"polluted":1}}],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    const result = order({ query: '__proto__=1&constructor=2', body: { kind: 'json', text } })
    expect(result.ok).to.equal(true)
    expect(JSON.stringify(result)).to.not.include('polluted')
    expect(Reflect.get({}, 'polluted')).to.equal(undefined)
    const inherited = createRequestValidator({ body: Type.Object({ toString: Type.String() }) })
    expect(inherited({ body: json({}) }).ok).to.equal(false)
  })

  it('repeats no input when echo is off', () => {
    const secret = 'hunter2secret'
    const bodies = [
      { id: 1, lines: secret },
      { lines: [{ sku: secret, quantity: secret }] },
      secret,
      [secret],
      { at: secret, url: secret, kind: secret },
    ]
    for (const body of bodies) {
      const result = quiet({ query: `limit=${secret}`, body: json(body) })
      expect(result.ok).to.equal(false)
      expect(JSON.stringify(result)).to.not.include(secret)
      for (const item of errorsOf(result)) expect(item).to.not.have.property('input')
    }
  })

  it('repeats at most 256 characters of the input', () => {
    const long = 'x'.repeat(1000)
    const [limit, lines] = errorsOf(order({ query: `limit=${long}`, body: json({ id: 'a', lines: { long } }) }))
    expect(limit?.input).to.equal(long.slice(0, 256))
    expect(lines?.input).to.equal(JSON.stringify({ long }).slice(0, 256))
  })

  it('handles a megabyte of nesting, valid and broken', () => {
    const half = 512 * 1024
    const whole = `${'['.repeat(half)}${']'.repeat(half)}`
    expect(errorsOf(order({ body: { kind: 'json', text: whole } }))[0]).to.deep.include({
      type: 'model_attributes_type',
      input: '['.repeat(256),
    })
    expect(errorsOf(order({ body: { kind: 'json', text: '['.repeat(half) } }))[0]).to.deep.include({
      type: 'json_invalid',
      loc: ['body', half],
    })
    expect(errorsOf(order({ body: { kind: 'json', text: `[1.0,${whole}]` } }))[0]?.type).to.equal(
      'model_attributes_type',
    )
  })

  it('takes linear time on input that could cause backtracking', () => {
    const long = 400_000
    for (const text of [
      '1'.repeat(long),
      `${' '.repeat(long)}x`,
      `x${' '.repeat(long)}x`,
      '0_'.repeat(long),
      `1.${'0'.repeat(long)}x`,
    ]) {
      const sent = encodeURIComponent(text)
      query({ query: `limit=${sent}&id=${sent}&price=${sent}&since=${sent}` })
    }
    // In quadratic time, one of them would exceed the test's timeout on any machine.
  })

  it('reads a time as UTC, to the microsecond', () => {
    const since = (text: string) => {
      const result = query({ query: `since=${text}` })
      return result.ok ? result.value.query.since : result.detail[0]?.type
    }
    expect(since('2024-01-01')).to.equal('2024-01-01T00:00:00Z')
    expect(since('2024-01-01_10:00:00,5-05:30')).to.equal('2024-01-01T15:30:00.500Z')
    expect(since('2024-01-01t10:00Z')).to.equal('2024-01-01T10:00:00Z')
    expect(since('2024-01-01T10:00:00.1234567%2B0100')).to.equal('2024-01-01T09:00:00.123456Z')
    expect(since('2024-01-01T10:00:00+01:00')).to.equal('2024-01-01T09:00:00Z')
    expect(since('1700000000')).to.equal('2023-11-14T22:13:20Z')
    expect(since('1700000000123')).to.equal('2023-11-14T22:13:20.123Z')
    expect(since('9999-12-31T23:59:59-01:00')).to.equal('9999-12-31T23:59:59.999999Z')
    expect(since('0000-01-01')).to.equal('datetime_parsing')
  })

  it('repeats numbers as they were written', () => {
    const result = order({ body: { kind: 'json', text: '{"id":1.0,"lines":12345678901234567890,"kind":1e22}' } })
    expect(JSON.stringify(errorsOf(result).map((item) => item.input))).to.equal('[1.0,12345678901234567890,1e+22]')
  })

  it('parses only the value that an error repeats a second time', () => {
    const original = JSON.parse
    let reread = 0
    JSON.parse = (text: string, reviver?: Parameters<typeof original>[1]) => {
      if (reviver) reread += text.length
      return original(text, reviver)
    }
    try {
      const padding = '1.0,'.repeat(250_000)
      const text = `{"padding":[${padding}1.0],"id":1.0,"lines":[${padding}1.0],"kind":1e22}`
      const inputs = errorsOf(order({ body: { kind: 'json', text } })).map(({ input }) => JSON.stringify(input))
      expect([inputs[0], inputs.at(-1)]).to.deep.equal(['1.0', '1e+22'])
      expect(reread).to.be.below(10_000)
    } finally {
      JSON.parse = original
    }
  })
})
