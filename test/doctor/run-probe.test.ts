import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { defineProbe, type OperationProbe } from '../../src/doctor/operation-probe.ts'
import { runProbe } from '../../src/doctor/run-probe.ts'
import { UpstreamError } from '../../src/errors.ts'

describe('a probe of one operation', () => {
  const run = (
    work: () => Promise<unknown>,
    options: { limitMs?: number; isBackground?: boolean; isAborted?: boolean; operation?: string } = {},
  ) => {
    const { limitMs = 120_000, isBackground = false, isAborted = false, operation = 'credit' } = options
    const signal = isAborted ? AbortSignal.abort() : new AbortController().signal
    const probe: OperationProbe = defineProbe({ operation, prepare: () => work, isBackground })
    return runProbe(probe, {
      system: 'accounting',
      connection: {
        port: {},
        location: { path: 'merchants.acme.live.accounting', origin: 'https://erp.example' },
        limitMs,
      },
      inputs: { skus: [], now: new Date(), pictures: new Set(), sampledCount: 0 },
      limits: { timeoutMs: 60_000, signal },
    })
  }

  it('calls several times, and reports the first response apart from the later ones', async () => {
    let calls = 0
    const row = await run(async () => {
      if (calls++ === 0) await pause(40)
    })
    expect(calls).to.equal(4)
    expect(row).to.include({ result: 'ok', finding: null, remedy: null })
    expect(row.latency!.cold).to.be.at.least(39)
  })

  it('is slow above half of the time that a request waits', async () => {
    const row = await run(() => pause(110), { limitMs: 200 })
    // On a busy machine it may even exceed the limit.
    expect(['slow', 'failed']).to.include(row.result)
    expect(row.remedy).to.match(/merchants\.acme\.live\.accounting\.limits\.timeout_ms/)
  })

  it('names the limit and the circuit of searches when a search is slow', async () => {
    const search = await run(() => pause(30), { limitMs: 10, operation: 'search (updated_since)' })
    expect(search.remedy).to.match(/inventory-search; merchants\.acme\.live\.accounting\.limits\.search_concurrency/)
    expect((await run(() => pause(30), { limitMs: 10 })).remedy).to.not.include('search')
  })

  it('fails when the response takes longer than a request waits', async () => {
    const row = await run(() => pause(30), { limitMs: 10 })
    expect(row).to.include({ result: 'failed' })
    expect(row.finding).to.match(/longer than the 10 ms that a request waits for it/)
  })

  it('allows a change feed more time than a request', async () => {
    const row = await run(() => pause(30), { limitMs: 10, isBackground: true })
    expect(row.limitMs).to.equal(10_000)
    // On a busy machine it may even take half of that.
    expect(['ok', 'slow']).to.include(row.result)
  })

  for (const [failure, message, result, remedy] of [
    ['not_configured', 'Tryton lacks the module sale', 'not offered', /add what is missing to the system/],
    ['rejected', 'GET /x responded 401: no', 'failed', /login in merchants\.acme\.live\.accounting/],
    ['rejected', 'GET /x responded 404: no', 'failed', /the path in .*address/],
    ['rejected', 'You are not allowed', 'failed', /findings, and the permissions of the login/],
    ['unavailable', 'ECONNREFUSED: connect', 'failed', /Nothing listens at https:\/\/erp\.example/],
    ['unavailable', 'ENOTFOUND: getaddrinfo', 'failed', /cannot be resolved/],
    ['unavailable', 'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed', 'failed', /certificate.*NODE_EXTRA_CA_CERTS/],
    ['unavailable', 'ECONNRESET: socket hang up', 'failed', /^If the system speaks plain HTTP, use http.*was lost/],
    ['unavailable', 'UND_ERR_CONNECT_TIMEOUT: x', 'failed', /use http, not https.*routes and firewalls/],
    ['timeout', 'no response within 5 ms', 'failed', /use http, not https.*slow or hangs/],
    ['rejected', 'responded 400: The plain HTTP request was sent to HTTPS port', 'failed', /Use https/],
    ['error', 'GET /x responded 500: oh', 'failed', /log of https:\/\/erp\.example/],
    ['invalid', 'not JSON: <h1>', 'failed', /not what the adapter expects/],
    ['rate_limited', 'GET /x responded 429: slow', 'failed', /limits the rate of calls/],
  ] as const) {
    it(`says how to fix "${message}"`, async () => {
      const row = await run(() => Promise.reject(new UpstreamError(failure, message)))
      expect(row).to.include({ result, finding: message })
      expect(row.remedy).to.match(remedy)
    })
  }

  it('warns when a later call fails', async () => {
    let calls = 0
    const row = await run(async () => {
      if (calls++ > 0) throw new UpstreamError('error', 'GET /x responded 500: oh')
    })
    expect(row).to.include({
      result: 'warning',
      finding: 'the first call succeeded, but a later one failed: GET /x responded 500: oh',
    })
  })

  it('reports a bug of an adapter as a failure of the adapter', async () => {
    const row = await run(() => Promise.reject(new TypeError('undefined is not a function')))
    expect(row).to.include({ result: 'failed', finding: 'the adapter failed: undefined is not a function' })
  })

  it('does not wait for an adapter that ignores its signal', async () => {
    expect(await run(() => new Promise(() => {}), { isAborted: true })).to.include({ result: 'not tried' })
  })
})
