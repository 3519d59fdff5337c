import { expect } from 'chai'
import type { FinishedRequest } from '../../src/diagnostics/finished-request.ts'
import { createMetrics, type Metrics } from '../../src/operations/metrics.ts'
import type { SectionTrace } from '../../src/sections/section-trace.ts'
import type { CallTrace } from '../../src/upstream/request/call-trace.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const
const request = (of: Partial<FinishedRequest> = {}): FinishedRequest => ({
  requestId: 'r',
  mode: 'live',
  tenant: 'acme',
  keyId: 'key_1',
  clientAddress: '192.0.2.1',
  method: 'GET',
  url: '/v1/products/BP-1001',
  route: 'getProduct',
  status: 200,
  ms: 3,
  cache: 'hit',
  ...of,
})

const section = (of: Partial<SectionTrace> = {}): SectionTrace => ({
  name: 'price',
  outcome: 'ok',
  ms: 3,
  system: 'pricing',
  code: null,
  staleAsOf: null,
  cause: null,
  simulated: false,
  ...of,
})

const late = section({ outcome: 'timeout', code: 'downstream_timeout', cause: 'no response in time' })

const call = (of: Partial<CallTrace> = {}): CallTrace => ({
  system: 'pricing',
  operation: 'prices',
  at: 0,
  queuedMs: 0,
  ms: 12,
  attempts: 1,
  outcome: 'ok',
  cause: null,
  ...of,
})

describe('metrics', () => {
  let metrics: Metrics
  beforeEach(() => {
    metrics = createMetrics({ merchants: ['acme', 'zenith'] })
  })

  /** The series of one name with all its labels, as the text has them. */
  async function series(name: string): Promise<string[]> {
    const lines = (await metrics.text()).split('\n')
    return lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  }

  it('count requests by route, status and cache', async () => {
    metrics.countRequest(request())
    metrics.countRequest(request())
    metrics.countRequest(request({ cache: 'miss' }))
    metrics.countRequest(request({ route: 'none', status: 404, cache: 'none', code: 'not_found' }))
    expect(await series('forecourt_requests_total')).to.deep.equal([
      'forecourt_requests_total{route="getProduct",status="200",cache="hit"} 2',
      'forecourt_requests_total{route="getProduct",status="200",cache="miss"} 1',
      'forecourt_requests_total{route="none",status="404",cache="none"} 1',
    ])
  })

  it('count the time of each request in every bucket that it fits', async () => {
    for (const ms of [0.2, 3, 80, 9_000]) metrics.countRequest(request({ ms }))
    const found = (await series('forecourt_request_seconds_bucket')).map((line) => line.split('le=')[1])
    expect(found).to.deep.equal(
      [
        ['0.0005', 1],
        ['0.001', 1],
        ['0.0025', 1],
        ['0.005', 2],
        ['0.01', 2],
        ['0.025', 2],
        ['0.05', 2],
        ['0.1', 3],
        ['0.2', 3],
        ['0.35', 3],
        ['0.5', 3],
        ['0.7', 3],
        ['1', 3],
        ['2', 3],
        ['5', 3],
        ['+Inf', 4],
      ].map(([bound, count]) => `"${bound}"} ${count}`),
    )
    expect(await series('forecourt_request_seconds_count')).to.deep.equal([
      'forecourt_request_seconds_count{route="getProduct"} 4',
    ])
    expect((await series('forecourt_request_seconds_sum'))[0]).to.match(/ 9\.083/)
  })

  it('classify a merchant’s responses, with simulated failures apart', async () => {
    metrics.countRequest(request())
    metrics.countRequest(request({ sections: [section()] }))
    metrics.countRequest(request({ sections: [section(), late] }))
    metrics.countRequest(request({ sections: [section({ outcome: 'not_configured', code: 'not_configured' })] }))
    metrics.countRequest(request({ sections: [{ ...late, simulated: true }] }))
    metrics.countRequest(request({ status: 504, code: 'downstream_timeout', sections: [late] }))
    metrics.countRequest(request({ status: 409, code: 'price_changed' }))
    metrics.countRequest(
      request({ status: 503, sections: [section({ outcome: 'not_configured', code: 'not_configured' })] }),
    )
    const planned = section({ name: 'price', outcome: 'maintenance', code: 'maintenance' })
    metrics.countRequest(request({ sections: [section(), planned] }))
    metrics.countRequest(request({ status: 503, code: 'maintenance', sections: [planned] }))
    metrics.countRequest(request({ sections: [late, planned] }))
    metrics.countRequest(request({ status: 499 }))
    const counted = (await series('forecourt_answers_total')).filter((line) => line.includes('mode="live"'))
    expect(counted.map((line) => line.slice(line.indexOf('outcome')))).to.deep.equal([
      'outcome="complete"} 3',
      'outcome="degraded"} 2',
      'outcome="failed"} 1',
      'outcome="refused"} 2',
      'outcome="simulated"} 1',
      'outcome="maintenance"} 2',
      'outcome="left"} 1',
    ])
  })

  it('count sections by code and by what was served', async () => {
    metrics.countRequest(request({ sections: [section(), section({ name: 'product', system: 'inventory' })] }))
    metrics.countRequest(request({ sections: [late, { ...late, staleAsOf: 5 }, { ...late, code: 'partial_result' }] }))
    metrics.countRequest(
      request({
        sections: [{ ...late, simulated: true }, section({ outcome: 'aborted', code: 'downstream_unavailable' })],
      }),
    )
    expect((await series('forecourt_sections_total')).map((line) => line.slice(line.indexOf('system')))).to.deep.equal([
      'system="pricing",section="price",code="ok",served="fresh"} 1',
      'system="inventory",section="product",code="ok",served="fresh"} 1',
      'system="pricing",section="price",code="downstream_timeout",served="missing"} 1',
      'system="pricing",section="price",code="downstream_timeout",served="last_good"} 1',
      'system="pricing",section="price",code="partial_result",served="part"} 1',
    ])
  })

  it('count live calls that succeed as sections, so that failures have a share', async () => {
    metrics.countRequest(
      request({ route: 'checkout', cache: 'bypass', calls: [call(), call({ system: 'accounting' })] }),
    )
    const failed = section({ name: 'checkout', outcome: 'timeout', code: 'downstream_timeout' })
    metrics.countRequest(
      request({ route: 'checkout', status: 504, sections: [failed], calls: [call({ outcome: 'timeout' })] }),
    )
    expect((await series('forecourt_sections_total')).map((line) => line.slice(line.indexOf('system')))).to.deep.equal([
      'system="pricing",section="checkout",code="ok",served="fresh"} 1',
      'system="accounting",section="checkout",code="ok",served="fresh"} 1',
      'system="pricing",section="checkout",code="downstream_timeout",served="missing"} 1',
    ])
  })

  it('count upstream calls by outcome, their times, and how many requests waited for them', async () => {
    const shared = call({ ms: 12, queuedMs: 7 })
    metrics.countCall(acmeLive, shared)
    metrics.countCall(acmeLive, call({ outcome: 'timeout', ms: 700, attempts: 2 }))
    metrics.countCall(acmeLive, call({ outcome: 'circuit_open', ms: 0, attempts: 0 }))
    metrics.countCall(acmeLive, call({ operation: 'changes', ms: 9_000, queuedMs: 900, background: true }))
    for (let asker = 0; asker < 3; asker++) metrics.countRequest(request({ cache: 'miss', calls: [shared] }))
    const labels = 'merchant="acme",mode="live",system="pricing"'
    expect(await series('forecourt_upstream_calls_total')).to.deep.equal([
      `forecourt_upstream_calls_total{${labels},outcome="ok"} 2`,
      `forecourt_upstream_calls_total{${labels},outcome="timeout"} 1`,
      `forecourt_upstream_calls_total{${labels},outcome="circuit_open"} 1`,
    ])
    expect(await series('forecourt_upstream_uses_total')).to.deep.equal([`forecourt_upstream_uses_total{${labels}} 3`])
    expect(await series('forecourt_upstream_retries_total')).to.deep.equal([
      `forecourt_upstream_retries_total{${labels}} 1`,
    ])
    expect(await series('forecourt_upstream_call_seconds_count')).to.deep.equal([
      `forecourt_upstream_call_seconds_count{${labels}} 2`,
    ])
    expect(await series('forecourt_upstream_line_seconds_sum')).to.deep.equal([
      `forecourt_upstream_line_seconds_sum{${labels}} 0.007`,
    ])
  })

  it('count problems, rate limits and checkouts by merchant and mode', async () => {
    metrics.countRequest(request({ status: 429, code: 'rate_limited' }))
    metrics.countRequest(request({ status: 422, code: 'validation' }))
    metrics.countRequest(request({ status: 500, code: 'made up' }))
    metrics.countRequest(request({ route: 'checkout', status: 409, code: 'price_changed', cache: 'bypass' }))
    metrics.countRequest(request({ route: 'checkout', cache: 'bypass' }))
    const owner = 'merchant="acme",mode="live"'
    const counted = (await series('forecourt_problems_total')).filter((line) => !line.endsWith(' 0'))
    expect(counted).to.deep.equal(
      ['rate_limited', 'validation', 'other', 'price_changed'].map(
        (code) => `forecourt_problems_total{${owner},code="${code}"} 1`,
      ),
    )
    expect(await series('forecourt_checkouts_total')).to.deep.equal([
      `forecourt_checkouts_total{${owner},status="409",code="price_changed"} 1`,
      `forecourt_checkouts_total{${owner},status="200",code="none"} 1`,
    ])
  })

  it('have a series for internal errors before the first one, so that its rise is visible', async () => {
    expect(await series('forecourt_problems_total')).to.include(
      'forecourt_problems_total{merchant="zenith",mode="live",code="internal_error"} 0',
    )
  })

  it('have a series for a circuit before it opens', async () => {
    metrics.countCall(acmeLive, call())
    const turns = 'forecourt_breaker_turns_total{merchant="acme",mode="live",system="pricing",circuit="pricing",state='
    expect(await series('forecourt_breaker_turns_total')).to.deep.equal([`${turns}"open"} 0`, `${turns}"closed"} 0`])
    metrics.countCircuitTransition(acmeLive, 'pricing', 'open')
    expect(await series('forecourt_breaker_turns_total')).to.include(`${turns}"open"} 1`)
  })

  it('never use the name of an unknown merchant as a label', async () => {
    for (let at = 0; at < 1_000; at++) {
      metrics.countRequest(request({ tenant: `stranger-${at}`, sections: [section()], code: 'not_found' }))
      metrics.countCall({ merchant: `stranger-${at}`, mode: 'live' }, call())
    }
    metrics.countRequest(request({ tenant: null, status: 401, code: 'missing_api_key' }))
    const text = await metrics.text()
    expect(text).to.not.include('stranger')
    expect(text).to.include('forecourt_answers_total{merchant="other",mode="live",outcome="complete"} 1000')
    expect(text).to.include('forecourt_answers_total{merchant="none",mode="live",outcome="refused"} 1')
    expect(text).to.include(
      'forecourt_upstream_calls_total{merchant="other",mode="live",system="pricing",outcome="ok"} 1000',
    )
  })

  it('stay bounded whatever is counted', async () => {
    for (let at = 0; at < 6_000; at++) metrics.countRequest(request({ sections: [section({ name: `section-${at}` })] }))
    const found = await series('forecourt_sections_total')
    expect(found).to.have.length(5_001)
    expect(found.at(-1)).to.match(/\{merchant="other",.*\} 1000$/)
  })

  it('leave out a gauge that cannot be read, and return the rest', async () => {
    metrics.gauge('forecourt_broken', 'It throws', () => {
      throw new Error('no')
    })
    metrics.gauges('forecourt_gone', 'It rejects', ['merchant'], () => Promise.reject(new Error('no')))
    let rows = [{ labels: { merchant: 'acme' }, value: 1 }]
    metrics.gauges('forecourt_rows', 'They come and go', ['merchant'], () => rows)
    expect(await series('forecourt_broken')).to.deep.equal([])
    expect(await series('forecourt_gone')).to.deep.equal([])
    expect(await series('forecourt_rows')).to.deep.equal(['forecourt_rows{merchant="acme"} 1'])
    rows = []
    expect(await series('forecourt_rows')).to.deep.equal([])
  })

  it('report the delay of the event loop in one gauge', async () => {
    const delay = async (percentile: string) =>
      Number(
        (await series('forecourt_event_loop_delay_seconds'))
          .find((line) => line.includes(`"${percentile}"`))
          ?.split(' ')[1],
      )
    expect(await delay('50')).to.be.at.least(0)
    expect(await series('nodejs_eventloop_lag_p99_seconds')).to.deep.equal([])
    expect(await series('nodejs_active_handles_total')).to.deep.equal([])
    expect(Number((await series('forecourt_event_loop_busy_seconds_total'))[0]?.split(' ')[1])).to.be.above(0)
  })
})
