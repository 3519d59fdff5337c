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

function refused(judged: ReturnType<typeof order> | ReturnType<typeof query>) {
  return judged.ok ? [] : judged.detail
}

/** Values that come near to the schema, so that the properties do not stop at its first gate. */
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

describe('judging input', () => {
  it('gives a value or says what is wrong, for any JSON and any query string', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), fc.string(), (body, text) => {
        const judged = order({ query: text, body: json(body) })
        if (judged.ok) expect(judged.value).to.have.keys('params', 'query', 'headers', 'body')
        else expect(judged.detail).to.not.equal([])
      }),
    )
  })

  it('gives a value or says what is wrong, for any text as a body', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0123e-. \n\ud83d😀nulltrue') }), (text) => {
        const judged = order({ body: { kind: 'json', text } })
        expect(judged.ok || judged.detail.length > 0).to.equal(true)
      }),
    )
  })

  it('hands on integers that are exact and numbers that are finite', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789+-_.e '), maxLength: 25 })
    const numerals = fc.oneof(digits, fc.double().map(String), fc.constantFrom('nan', 'inf', '-Infinity', '1e999'))
    fc.assert(
      fc.property(numerals, (numeral) => {
        const sent = encodeURIComponent(numeral)
        const judged = query({ query: `id=${sent}&price=${sent}` })
        if (!judged.ok) return
        expect(Number.isSafeInteger(judged.value.query.id)).to.equal(true)
        expect(Number.isFinite(judged.value.query.price)).to.equal(true)
      }),
    )
  })

  it('keeps declared members alone, in lists too', () => {
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
    const judged = order({ query: '__proto__=1&constructor=2', body: { kind: 'json', text } })
    expect(judged.ok).to.equal(true)
    expect(JSON.stringify(judged)).to.not.include('polluted')
    expect(Reflect.get({}, 'polluted')).to.equal(undefined)
    const inherited = createRequestValidator({ body: Type.Object({ toString: Type.String() }) })
    expect(inherited({ body: json({}) }).ok).to.equal(false)
  })

  it('repeats nothing of the request when echo is off', () => {
    const secret = 'hunter2secret'
    const bodies = [
      { id: 1, lines: secret },
      { lines: [{ sku: secret, quantity: secret }] },
      secret,
      [secret],
      { at: secret, url: secret, kind: secret },
    ]
    for (const body of bodies) {
      const judged = quiet({ query: `limit=${secret}`, body: json(body) })
      expect(judged.ok).to.equal(false)
      expect(JSON.stringify(judged)).to.not.include(secret)
      for (const item of refused(judged)) expect(item).to.not.have.property('input')
    }
  })

  it('repeats at most 256 characters', () => {
    const long = 'x'.repeat(1000)
    const [limit, lines] = refused(order({ query: `limit=${long}`, body: json({ id: 'a', lines: { long } }) }))
    expect(limit?.input).to.equal(long.slice(0, 256))
    expect(lines?.input).to.equal(JSON.stringify({ long }).slice(0, 256))
  })

  it('survives a megabyte of nesting, whole and broken', () => {
    const half = 512 * 1024
    const whole = `${'['.repeat(half)}${']'.repeat(half)}`
    expect(refused(order({ body: { kind: 'json', text: whole } }))[0]).to.deep.include({
      type: 'model_attributes_type',
      input: '['.repeat(256),
    })
    expect(refused(order({ body: { kind: 'json', text: '['.repeat(half) } }))[0]).to.deep.include({
      type: 'json_invalid',
      loc: ['body', half],
    })
    expect(refused(order({ body: { kind: 'json', text: `[1.0,${whole}]` } }))[0]?.type).to.equal(
      'model_attributes_type',
    )
  })

  it('takes linear time on what invites backtracking', () => {
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
    // With time that grows with the square of their length, one of them would take more than these minutes on any machine.
  }).timeout(120_000)

  it('reads a time as UTC, to the microsecond', () => {
    const since = (text: string) => {
      const judged = query({ query: `since=${text}` })
      return judged.ok ? judged.value.query.since : judged.detail[0]?.type
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

  it('repeats numbers as they were sent', () => {
    const judged = order({ body: { kind: 'json', text: '{"id":1.0,"lines":12345678901234567890,"kind":1e22}' } })
    expect(JSON.stringify(refused(judged).map((item) => item.input))).to.equal('[1.0,12345678901234567890,1e+22]')
  })
})
