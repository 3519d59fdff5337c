import { expect } from 'chai'
import { createHttpClient } from '../../src/upstream/client/http-client.ts'
import { createGuard, guardDefaults } from '../../src/upstream/guard/guard.ts'
import { failureOf } from '../support/failure-of.ts'
import { inSequence, respondJson, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { untilTrue } from '../support/until.ts'

describe('a call that fails', () => {
  let upstream: ScriptedUpstream
  let client: ReturnType<typeof createHttpClient>

  beforeEach(async () => {
    upstream = await startScriptedUpstream()
    client = createHttpClient({ address: upstream.address, maxSockets: 64, maxResponseBytes: 1_000_000 })
  })
  afterEach(async () => {
    await client[Symbol.asyncDispose]()
    await upstream.close()
  })

  function ask(
    limits = {},
    read = true,
    guard = createGuard('pricing', { ...guardDefaults, timeoutMs: 30_000, ...limits }),
  ) {
    const headers = { authorization: 'Bearer s3cret' }
    const exchange = { method: 'POST' as const, path: '/prices', body: { skus: ['A'] }, headers }
    return guard.run({
      requestId: 'req-7',
      operation: 'prices',
      priority: 'catalog',
      read,
      work: (call) => client.send(exchange, call),
    })
  }

  for (const status of [502, 503, 504]) {
    it(`is retried after ${status}`, async () => {
      upstream.script = inSequence(respondJson({}, status), respondJson({ ok: true }))
      expect((await ask().answer).text).to.equal('{"ok":true}')
      expect(upstream.requests).to.have.length(2)
    })
  }

  it('is retried after a broken connection', async () => {
    upstream.script = inSequence((response) => response.destroy(), respondJson({ ok: true }))
    expect((await ask().answer).status).to.equal(200)
  })

  it('is retried only once', async () => {
    upstream.script = respondJson({}, 503)
    expect((await failureOf(ask().answer)).failure).to.equal('error')
    expect(upstream.requests).to.have.length(2)
  })

  for (const status of [500, 501, 429, 404, 409]) {
    it(`is not retried after ${status}`, async () => {
      upstream.script = respondJson({}, status)
      await ask().answer.catch(() => {})
      expect(upstream.requests).to.have.length(1)
    })
  }

  it('is not retried if it is a write', async () => {
    upstream.script = respondJson({}, 503)
    await failureOf(ask({}, false).answer)
    expect(upstream.requests).to.have.length(1)
  })

  it('is sent in full the second time, with less time left', async () => {
    upstream.script = inSequence(respondJson({}, 503), respondJson({}))
    await ask({ timeoutMs: 30_000 }).answer
    const [first, second] = upstream.requests
    expect([second!.headers.authorization, second!.body]).to.deep.equal([
      first!.headers.authorization,
      '{"skus":["A"]}',
    ])
    const left = upstream.requests.map(({ headers }) => Number(headers['x-request-timeout-ms']))
    expect(left[0]).to.be.within(1, 30_000)
    expect(left[1]).to.be.below(left[0]! - 20)
  })

  it('waits for as long as Retry-After says', async () => {
    upstream.script = inSequence(respondJson({}, 503, { 'retry-after': '1' }), respondJson({}))
    const asked = performance.now()
    await ask({ timeoutMs: 30_000 }).answer
    expect(performance.now() - asked).to.be.above(990)
  })

  it('fails at once when Retry-After is longer than the time left', async () => {
    upstream.script = respondJson({}, 503, { 'retry-after': '30' })
    const { failure, retryAfterMs } = await failureOf(ask({ timeoutMs: 29_000 }).answer)
    expect([failure, retryAfterMs, upstream.requests.length]).to.deep.equal(['error', 30_000, 1])
  })

  it('is not retried for a caller who left between the attempts', async () => {
    upstream.script = respondJson({}, 503, { 'retry-after': '30' })
    const running = ask({ timeoutMs: 60_000 })
    const failed = failureOf(running.answer)
    await untilTrue(() => upstream.requests.length === 1 && upstream.pending === 0)
    running.abandon()
    expect((await failed).failure).to.equal('aborted')
    upstream.script = respondJson({ ok: true })
    // By when another is answered, nothing of it has gone out.
    await ask().answer
    expect(upstream.requests).to.have.length(2)
  })

  it('causes no retry storm: few of many failures are retried', async () => {
    const never = { minimumCalls: 1_000_000, streakLength: 1_000_000 }
    const guard = createGuard('pricing', { ...guardDefaults, ...never, timeoutMs: 30_000, queue: 1_000 })
    upstream.script = respondJson({}, 503)
    await Promise.all(Array.from({ length: 200 }, () => failureOf(ask({}, true, guard).answer)))
    expect(upstream.requests.length).to.be.within(205, 232)
  })
})
