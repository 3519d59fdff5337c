import { expect } from 'chai'
import fc from 'fast-check'
import { parseCallerTraceContext } from '../../src/tracing/trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const GOOD = `00-${TRACE}-${SPAN}-01`

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map((found) => found.join(''))
    .filter((text) => !/^0+$/.test(text))
const flags = fc.constantFrom('00', '01', '02', '03')
const sentOn = (traceparent: string, tracestate?: string) =>
  parseCallerTraceContext({ traceparent, ...(tracestate !== undefined && { tracestate }) })

describe('the traceparent header', () => {
  it('is passed on unchanged', () => {
    fc.assert(
      fc.property(hex(32), hex(16), flags, (traceId, spanId, flag) => {
        const traceparent = `00-${traceId}-${spanId}-${flag}`
        const sampled = flag === '01' || flag === '03'
        expect(sentOn(traceparent)).to.deep.equal({ traceparent, traceId, spanId, sampled })
      }),
    )
  })

  it('of a later version is passed on in our version', () => {
    const read = { traceparent: GOOD, traceId: TRACE, spanId: SPAN, sampled: true }
    expect(sentOn(`cc-${TRACE}-${SPAN}-01-what-the-future-will-bring`)).to.deep.equal(read)
    expect(sentOn(`cc-${TRACE}-${SPAN}-fd`)).to.deep.equal(read)
    expect(sentOn(`cc-${TRACE}-${SPAN}-01.what`)).to.equal(undefined)
  })

  for (const [what, traceparent] of Object.entries({
    'is empty': '',
    'is of version ff': `ff-${TRACE}-${SPAN}-01`,
    'has more than its version says': `${GOOD}-00`,
    'is cut off': GOOD.slice(0, -1),
    'is in upper case': GOOD.toUpperCase(),
    'has no trace': `00-${'0'.repeat(32)}-${SPAN}-01`,
    'has no span': `00-${TRACE}-${'0'.repeat(16)}-01`,
    'came twice': `${GOOD}, ${GOOD}`,
    'has another sign between its parts': GOOD.replaceAll('-', '_'),
    'has a line break in it': `${GOOD}\r\nX-Other: 1`,
  }))
    it(`is ignored when it ${what}`, () => expect(sentOn(traceparent, 'a=1')).to.equal(undefined))

  it('is never more than 55 plain characters, whatever is received', () => {
    const part = fc.oneof(hex(32), hex(16), fc.constantFrom('00', '01', 'ff', '-', ''), fc.string())
    const text = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('-')),
      fc.string(),
    )
    fc.assert(
      fc.property(text, (given) => {
        const found = sentOn(given)
        if (found) expect(found.traceparent).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$/)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the tracestate header', () => {
  const stateOf = (tracestate: string) => sentOn(GOOD, tracestate)?.tracestate

  it('is passed on in order', () => {
    expect(stateOf('rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')).to.equal('rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')
    expect(stateOf('fw529a3039@dt=FfAB;x , \ta/b*=c d,,')).to.equal('fw529a3039@dt=FfAB;x,a/b*=c d')
  })

  for (const [what, tracestate] of Object.entries({
    'has two entries of one vendor': 'a=1,a=2',
    'has an entry without a value': 'a',
    'has an empty value': 'a=',
    'has a key in upper case': 'A=1',
    'has no key': '=1',
    'has a value with a second sign of equality': 'a=1=2',
    'has a value that is not plain': 'a=é',
    'is empty': ' , ',
    'has more than 32 entries': Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(),
    'is longer than 512 characters': `a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(10)}`,
  }))
    it(`is dropped when it ${what}, and the trace continues`, () =>
      expect(sentOn(GOOD, tracestate)).to.deep.equal({
        traceparent: GOOD,
        traceId: TRACE,
        spanId: SPAN,
        sampled: true,
      }))

  it('is ignored without a traceparent', () =>
    expect(parseCallerTraceContext({ tracestate: 'a=1' })).to.equal(undefined))

  it('is never long, and has plain entries only, whatever is received', () => {
    const entry = fc.tuple(fc.string({ maxLength: 12 }), fc.string({ maxLength: 300 })).map((pair) => pair.join('='))
    const plain = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/), fc.stringMatching(/^[!-+]{1,20}$/))
    const list = fc.array(
      fc.oneof(
        entry,
        plain.map((pair) => pair.join('=')),
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(
        list.map((entries) => entries.join(',')),
        (given) => {
          const sent = stateOf(given)
          if (sent === undefined) return
          expect(sent.length).to.be.within(3, 512)
          expect(sent.split(',')).to.have.length.below(33)
          expect(sent).to.match(/^[\x20-\x7e]+$/)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
