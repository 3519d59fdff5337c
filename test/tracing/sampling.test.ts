import { expect } from 'chai'
import { type CollectedSpan, startTracedApi } from './tracing-setup.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${CALLER}-01`
const unsampled = `00-${TRACE}-${CALLER}-00`

describe('sampling', () => {
  const ids = (spans: CollectedSpan[]) => spans.flatMap(({ attributes }) => attributes['forecourt.request_id'] ?? [])

  it('follows the caller’s flag, and `sample` without one', async () => {
    await using api = await startTracedApi({ sample: 0 })
    const ask = (at: number, id: string, headers: object, key = api.ownKey) =>
      api.request(`/v1/products/${api.sku(at)}`, { key, headers: { 'x-request-id': id, ...headers } })
    api.takeRequests()
    await ask(0, 'x-yes', { traceparent })
    await ask(1, 'x-nothing', {})
    const [made] = api.takeRequests().filter(({ headers }) => headers['x-request-id'] === 'x-nothing')
    await ask(2, 'x-stranger', { traceparent }, `${api.ownKey}x`)
    const { key } = await api.issueKey({ merchant: 'traced', mode: 'live', rate: 1 })
    await ask(2, 'x-once', { traceparent }, key)
    expect((await ask(3, 'x-too-often', { traceparent }, key)).status).to.equal(429)
    expect(made!.headers.traceparent).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(ids(await api.spans())).to.have.members(['x-yes', 'x-once'])
  })

  it('respects a caller that does not sample, and passes its trace on unchanged', async () => {
    await using api = await startTracedApi({ sample: 1 })
    api.takeRequests()
    await api.request(`/v1/products/${api.sku(0)}`, { key: api.ownKey, headers: { traceparent: unsampled } })
    expect(api.takeRequests().map(({ headers }) => headers.traceparent)).to.deep.equal(Array(3).fill(unsampled))
    expect((await api.spans()).filter(({ traceId }) => traceId === TRACE)).to.deep.equal([])
  })

  it('samples about the configured share', async () => {
    await using api = await startTracedApi({ sample: 0.25 })
    const asked = Array.from({ length: 400 }, (_, at) =>
      api.request('/v1/ping', { key: api.ownKey, headers: { 'x-request-id': `x-${at}` } }),
    )
    await Promise.all(asked)
    // The range is ten standard deviations wide.
    expect(ids(await api.spans()).filter((id) => String(id).startsWith('x-'))).to.have.length.within(20, 190)
  })
})
