import { expect } from 'chai'
import { UpstreamError, type UpstreamFailure } from '../../src/errors.ts'
import { fanOut } from '../../src/sections/fan-out.ts'
import { optional, required, type Section, valueSection } from '../../src/sections/section.ts'
import { SectionFailed, sectionError } from '../../src/sections/section-errors.ts'
import type { LoadResult } from '../../src/upstream/read-stack/cached-loader.ts'
import { createRequestScope } from '../../src/upstream/request/request-scope.ts'

const AT = Date.parse('2026-03-02T12:00:00.000Z')
const askingOf = (totalMs = 1_000, reserveMs = 50, now = () => 0) =>
  createRequestScope({ requestId: 'r', startedAt: 0 }, { totalMs, reserveMs }, now)
const good = <V>(value: V): LoadResult<V> => ({ value, error: null, asOf: AT })
const lost = (failure: UpstreamFailure): LoadResult<never> => ({
  value: null,
  error: new UpstreamError(failure, 'host 10.0.0.1 said no'),
  asOf: 0,
})
const lastGood = <V>(value: V, failure: UpstreamFailure): LoadResult<V> => ({
  value,
  error: new UpstreamError(failure, 'x'),
  asOf: AT,
})

describe('fanOut', () => {
  it('fills every section, and lists failures in declared order', async () => {
    const late = Promise.withResolvers<Section<string | null>>()
    const assembling = fanOut(askingOf(), {
      product: required(Promise.resolve(valueSection(good('P')))),
      price: optional(late.promise),
      stock: optional(Promise.resolve(valueSection<string>(lost('error')))),
    })
    await new Promise((resolve) => setImmediate(resolve))
    late.resolve(valueSection<string>(lost('timeout')))
    const { values, errors, traces } = await assembling
    expect(values).to.deep.equal({ product: 'P', price: null, stock: null })
    expect(errors.map(({ field, code }) => [field, code])).to.deep.equal([
      ['price', 'downstream_timeout'],
      ['stock', 'downstream_error'],
    ])
    expect(traces.map(({ name, outcome }) => [name, outcome])).to.deep.equal([
      ['product', 'ok'],
      ['price', 'timeout'],
      ['stock', 'error'],
    ])
  })

  it('fails at once without a required section, and abandons the others', async () => {
    const requestScope = askingOf()
    let left = false
    requestScope.onLeave(() => {
      left = true
    })
    const never = new Promise<Section<null>>(() => {})
    const failed = await fanOut(requestScope, {
      price: optional(never),
      product: required(Promise.resolve(valueSection(lost('circuit_open')))),
    }).catch((error: unknown) => error)
    expect(failed).to.be.instanceOf(SectionFailed)
    expect([left, (failed as SectionFailed).section]).to.deep.equal([true, 'product'])
  })

  it('serves the last-good value of a required section, and says so', async () => {
    const { values, errors } = await fanOut(askingOf(), {
      product: required(Promise.resolve(valueSection(lastGood('P', 'timeout')))),
    })
    expect(values).to.deep.equal({ product: 'P' })
    expect(errors).to.deep.equal([
      {
        ...{
          field: 'product',
          code: 'downstream_timeout',
          detail: 'The upstream system did not respond in time.',
        },
        stale: true,
        as_of: '2026-03-02T12:00:00.000Z',
      },
    ])
  })

  it('answers without a required section that the back office does not offer', async () => {
    const { values, errors } = await fanOut(askingOf(), {
      tags: required(Promise.resolve(valueSection(lost('not_configured')))),
    })
    expect([values, errors[0]!.code]).to.deep.equal([{ tags: null }, 'not_configured'])
  })

  it('shows nothing of the cause', () => {
    const entry = sectionError(
      'price',
      { stale: false, partial: false, asOf: 0 },
      new UpstreamError('error', 'http://erp.internal said 7919', { retryAfterMs: 1_234.5 }),
    )
    expect(entry).to.deep.equal({
      field: 'price',
      code: 'downstream_error',
      detail: 'The upstream system responded with an error.',
      retry_after_ms: 1_235,
    })
  })
})
