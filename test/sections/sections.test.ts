import { expect } from 'chai'
import type { SectionErrorCode } from '../../src/contract/section-error-entry.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/errors.ts'
import { fanOut } from '../../src/sections/fan-out.ts'
import { columnSection, optional, required, type Section, valueSection } from '../../src/sections/section.ts'
import { isCacheable, SectionFailed, sectionError } from '../../src/sections/section-errors.ts'
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

describe('a column of rows', () => {
  it('has one failure however many rows failed, and the age of its oldest row', () => {
    const older = { ...lastGood('A', 'timeout'), asOf: AT - 5_000 }
    const { value, error, stale, asOf } = columnSection([older, good('B'), lastGood('C', 'timeout')])
    expect([value, error!.failure, stale, asOf]).to.deep.equal([['A', 'B', 'C'], 'timeout', true, AT - 5_000])
  })

  it('is partial, not stale, if a row has no value', () => {
    expect(columnSection([lastGood('A', 'timeout'), lost('timeout')])).to.include({ stale: false })
    expect(columnSection([good('A'), { value: null, error: null, asOf: AT }]), 'an absence is no failure').to.include({
      error: null,
      stale: false,
    })
    expect(columnSection([])).to.include({ error: null, stale: false })
  })
})

describe('a required section that fails', () => {
  for (const [failure, status, code] of [
    ['timeout', 504, 'downstream_timeout'],
    ['unavailable', 503, 'downstream_unavailable'],
    ['error', 502, 'downstream_error'],
    ['rejected', 502, 'downstream_error'],
    ['unauthorized', 502, 'downstream_error'],
    ['misconfigured', 502, 'downstream_error'],
    ['invalid', 502, 'downstream_error'],
    ['rate_limited', 503, 'downstream_unavailable'],
    ['circuit_open', 503, 'circuit_open'],
    ['overloaded', 503, 'overloaded'],
    ['aborted', 503, 'downstream_unavailable'],
  ] as const) {
    it(`answers ${status} ${code} for ${failure}, with Retry-After`, () => {
      const problem = new SectionFailed(
        'product',
        new UpstreamError(failure, 'erp.internal', { retryAfterMs: 2_100 }),
      ).problem()
      expect([problem.status, problem.code, problem.headers]).to.deep.equal([status, code, { 'Retry-After': '3' }])
      expect(problem.detail).not.to.contain('erp')
    })
  }
})

describe('a request scope', () => {
  it('has the total time, less the time spent and the reserve', () => {
    let now = 0
    const requestScope = askingOf(1_500, 50, () => now)
    expect(requestScope.leftMs()).to.equal(1_450)
    now = 1_500
    expect(requestScope.leftMs()).to.equal(-50)
  })

  it('notifies each listener once when its caller leaves, late ones at once, removed ones never', () => {
    const requestScope = askingOf()
    const told: string[] = []
    const never = () => told.push('never')
    requestScope.onLeave(() => told.push('early'))
    requestScope.onLeave(never)
    requestScope.offLeave(never)
    requestScope.leave()
    requestScope.leave()
    requestScope.onLeave(() => told.push('late'))
    expect(told).to.deep.equal(['early', 'late'])
  })
})

describe('an answer', () => {
  it('is cacheable unless a section failed that may recover', () => {
    const entry = (code: SectionErrorCode) => ({ field: 'x', code, detail: '' })
    expect([
      isCacheable([]),
      isCacheable([entry('not_configured')]),
      isCacheable([entry('not_configured'), entry('overloaded')]),
    ]).to.deep.equal([true, true, false])
  })
})
