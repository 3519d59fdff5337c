import { expect } from 'chai'
import { UpstreamError, type UpstreamFailure } from '../../src/errors.ts'
import { columnSection } from '../../src/sections/section.ts'
import type { LoadResult } from '../../src/upstream/read-stack/cached-loader.ts'

const AT = Date.parse('2026-03-02T12:00:00.000Z')
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
