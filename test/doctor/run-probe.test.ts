import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { defineProbe, type OperationProbe } from '../../src/doctor/operation-probe.ts'
import { runProbe } from '../../src/doctor/run-probe.ts'
import { UpstreamError } from '../../src/errors.ts'

describe('what the doctor says of one operation', () => {
  const ask = (work: () => Promise<unknown>, of: { limitMs?: number; background?: boolean; ended?: boolean } = {}) => {
    const { limitMs = 10_000, background = false, ended = false } = of
    const signal = ended ? AbortSignal.abort() : new AbortController().signal
    const asked: OperationProbe = defineProbe({ operation: 'credit', prepare: () => work, isBackground: background })
    return runProbe(asked, {
      system: 'accounting',
      connected: {
        port: {},
        location: { path: 'merchants.acme.live.accounting', origin: 'https://erp.example' },
        limitMs,
      },
      known: { skus: [], now: new Date(), pictures: new Set(), sampledCount: 0 },
      patience: { timeoutMs: 5_000, signal },
    })
  }

  it('asks a few times over, and tells the first answer from those after it', async () => {
    let asked = 0
    const row = await ask(async () => {
      if (asked++ === 0) await pause(40)
    })
    expect(asked).to.equal(4)
    expect(row).to.include({ result: 'ok', finding: null, remedy: null })
    expect(row.latency!.cold).to.be.at.least(39)
  })

  it('calls slow what takes over half of what a request waits, by its limit', async () => {
    const row = await ask(() => pause(110), { limitMs: 200 })
    // Where this machine was held up, it is too late even.
    expect(['slow', 'failed']).to.include(row.result)
    expect(row.remedy).to.match(/merchants\.acme\.live\.accounting\.limits\.timeout_ms/)
  })

  it('calls failed what comes later than a request waits', async () => {
    const row = await ask(() => pause(30), { limitMs: 10 })
    expect(row).to.include({ result: 'failed' })
    expect(row.finding).to.match(/longer than a request waits for it \(10 ms\)/)
  })

  it('gives a feed more time than a request', async () => {
    expect(await ask(() => pause(30), { limitMs: 10, background: true })).to.include({ result: 'ok', limitMs: 10_000 })
  })

  for (const [failure, message, result, remedy] of [
    ['not_configured', 'Tryton lacks the module sale', 'not offered', /Bring to the system/],
    ['rejected', 'GET /x answered 401: no', 'failed', /login in merchants\.acme\.live\.accounting/],
    ['rejected', 'GET /x answered 404: no', 'failed', /the path in .*address/],
    ['rejected', 'You are not allowed', 'failed', /findings, and at the rights of the login/],
    ['unavailable', 'ECONNREFUSED: connect', 'failed', /Nothing listens at https:\/\/erp\.example/],
    ['unavailable', 'ENOTFOUND: getaddrinfo', 'failed', /No such host/],
    ['unavailable', 'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed', 'failed', /certificate.*NODE_EXTRA_CA_CERTS/],
    ['unavailable', 'ECONNRESET: socket hang up', 'failed', /^If the system speaks plain http, write http.*broke off/],
    ['unavailable', 'UND_ERR_CONNECT_TIMEOUT: x', 'failed', /write http, not https.*routes and firewalls/],
    ['timeout', 'no answer within 5 ms', 'failed', /write http, not https.*so long or hangs/],
    ['rejected', 'answered 400: The plain HTTP request was sent to HTTPS port', 'failed', /Write https/],
    ['error', 'GET /x answered 500: oh', 'failed', /log of https:\/\/erp\.example/],
    ['invalid', 'not JSON: <h1>', 'failed', /does not speak as the adapter expects/],
    ['rate_limited', 'GET /x answered 429: slow', 'failed', /fewer questions/],
  ] as const) {
    it(`says how to mend "${message}"`, async () => {
      const row = await ask(() => Promise.reject(new UpstreamError(failure, message)))
      expect(row).to.include({ result, finding: message })
      expect(row.remedy).to.match(remedy)
    })
  }

  it('warns of what answers once and fails then', async () => {
    let asked = 0
    const row = await ask(async () => {
      if (asked++ > 0) throw new UpstreamError('error', 'GET /x answered 500: oh')
    })
    expect(row).to.include({ result: 'warning', finding: 'it answered, and then failed: GET /x answered 500: oh' })
  })

  it('holds a mistake of an adapter against the adapter', async () => {
    const row = await ask(() => Promise.reject(new TypeError('undefined is not a function')))
    expect(row).to.include({ result: 'failed', finding: 'the adapter failed: undefined is not a function' })
  })

  it('does not wait for an adapter that heeds no signal', async () => {
    expect(await ask(() => new Promise(() => {}), { ended: true })).to.include({ result: 'not tried' })
  })
})
