import { mock } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import Type from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import { createCallPace } from '../../../src/upstream/client/call-pace.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createTokenBucket } from '../../../src/upstream/client/token-bucket.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import {
  hang,
  respondJson,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamScript,
} from '../../support/scripted-upstream.ts'
import { untilTrue } from '../../support/until.ts'

const Anything = responseSchema(Type.Object({ ok: Type.Boolean() }))
const GET = { method: 'GET' as const, path: '/x' }
const limits = { maxSockets: 8, maxResponseBytes: 100_000 }

describe('the HTTP client', () => {
  let upstream: ScriptedUpstream
  let client: ReturnType<typeof createHttpClient>

  before(async () => {
    upstream = await startScriptedUpstream()
    client = createHttpClient({ address: `${upstream.address}/base/`, ...limits })
  })
  after(async () => {
    await client[Symbol.asyncDispose]()
    await upstream.close()
  })

  async function failing(script: UpstreamScript) {
    upstream.script = script
    return failureOf(client.json(Anything, GET, createCall()))
  }

  it('sends the path, the query, the request id and the time left', async () => {
    upstream.script = respondJson({ ok: true })
    const query = { q: 'a&b=ü', none: undefined, n: 0 }
    await client.json(Anything, { ...GET, query }, createCall({ timeoutMs: 123.9 }))
    const { path, headers } = upstream.requests.at(-1)!
    expect(path).to.equal('/base/x?q=a%26b%3D%C3%BC&n=0')
    expect([headers['x-request-id'], headers['x-request-timeout-ms'], headers['accept-encoding']]).to.deep.equal([
      'req-1',
      '123',
      undefined,
    ])
  })

  it('sends nothing that exceeds the calls that the system allows in a minute', async () => {
    const bucket = createTokenBucket(20, () => 0)
    const pace = createCallPace({ perMinute: 20, bucket, now: () => performance.now() })
    await using paced = createHttpClient({ address: upstream.address, ...limits, pace })
    upstream.script = respondJson({ ok: true })
    const earlier = upstream.requests.length
    await paced.json(Anything, GET, createCall())
    const { failure, summary } = await failureOf(paced.json(Anything, GET, createCall({ timeoutMs: 10 })))
    expect([failure, summary]).to.deep.equal([
      'overloaded',
      'all 20 calls of this minute are used up: no call was made',
    ])
    expect(upstream.requests).to.have.length(earlier + 1)
  })

  for (const [what, text] of [
    ['nothing at all', ''],
    ['half of an answer', '{"ok":tr'],
    ['a page', '<html>502</html>'],
    ['another shape', '{"ok":"yes"}'],
    ['null', 'null'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['a coding that nobody asked for', gzipSync('{"ok":true}')],
  ] as const) {
    it(`treats ${what} as an invalid response`, async () => {
      const { failure, retryable } = await failing((response) => void response.writeHead(200).end(text))
      expect([failure, retryable]).to.deep.equal(['invalid', false])
    })
  }

  for (const status of [201, 204, 301, 302, 307, 304]) {
    it(`treats ${status} as an invalid response, and follows no redirect`, async () => {
      const asked = upstream.requests.length
      expect((await failing((response) => void response.writeHead(status, { location: '/y' }).end())).failure).to.equal(
        'invalid',
      )
      expect(upstream.requests.length).to.equal(asked + 1)
    })
  }

  for (const status of [404, 405]) {
    it(`treats ${status} as the response of another server, unless it is the system's own not-found`, async () => {
      expect((await failing(respondJson({}, status))).failure).to.equal('invalid')
      const own = { ...GET, isNotFound: (text: string) => text === '{"absent":true}' }
      upstream.script = respondJson({ absent: true }, status)
      const found = await client.jsonOrNull(Anything, own, createCall()).catch(({ failure }) => failure)
      expect(found).to.equal(status === 404 ? null : 'invalid')
    })
  }

  it('treats 401 as a refused login', async () => {
    expect(await failing(respondJson({}, 401))).to.include({ failure: 'unauthorized', retryable: false })
  })

  it('keeps the body of a 5xx for the adapter, and out of what is logged', async () => {
    const said = { name: 'psycopg2.errors.SerializationFailure', debug: 'secret' }
    const failure = await failing(respondJson(said, 500))
    expect(failure.reply).to.deep.equal({ status: 500, text: JSON.stringify(said) })
    expect(JSON.stringify({ ...failure })).to.not.include('secret')
    const { reply } = (await failing(respondJson({ long: 'x'.repeat(70_000) }, 503))) as unknown as UpstreamError
    expect(reply!.text).to.have.lengthOf(65_536)
    for (const status of [401, 404, 429]) expect((await failing(respondJson(said, status))).reply).to.equal(null)
  })

  for (const status of [400, 403, 422]) {
    it(`treats ${status} as a rejected request`, async () => {
      expect((await failing(respondJson({}, status))).failure).to.equal('rejected')
    })
  }

  it('returns the bytes of a file, and null for a not-found of the system', async () => {
    const bytes = Buffer.from([0, 255, 128, 0x89, 0x50])
    upstream.script = (response) => void response.writeHead(200, { etag: '"v1"' }).end(bytes)
    const file = await client.bytes(GET, createCall())
    expect([Buffer.from(file!.bytes), file!.headers.etag]).to.deep.equal([bytes, '"v1"'])
    expect(upstream.requests.at(-1)!.headers).to.include({ accept: '*/*', 'x-request-id': 'req-1' })
    upstream.script = (response) => void response.writeHead(404).end()
    expect(await client.bytes({ ...GET, isNotFound: (text) => text === '' }, createCall())).to.equal(null)
    expect((await failureOf(client.bytes(GET, createCall()))).failure).to.equal('invalid')
  })

  it('fails for a file as for anything else', async () => {
    const failing = async (script: UpstreamScript) => {
      upstream.script = script
      return (await failureOf(client.bytes(GET, createCall()))).failure
    }
    const plain =
      (status: number): UpstreamScript =>
      (response) =>
        void response.writeHead(status, { location: '/y' }).end('no')
    expect(await failing(plain(403))).to.equal('rejected')
    expect(await failing(plain(302))).to.equal('invalid')
    expect(await failing(plain(204))).to.equal('invalid')
    expect(await failing(plain(429))).to.equal('rate_limited')
    expect(await failing(plain(503))).to.equal('error')
    expect(await failing((response) => void response.writeHead(200).end(Buffer.alloc(100_001)))).to.equal('invalid')
  })

  it('reads Retry-After in seconds or as a date, up to a minute', async () => {
    expect(await failing(respondJson({}, 429, { 'retry-after': '7' }))).to.include({
      failure: 'rate_limited',
      retryAfterMs: 7_000,
      retryable: false,
    })
    const soon = new Date(Date.now() + 40_000).toUTCString()
    expect((await failing(respondJson({}, 503, { 'retry-after': soon }))).retryAfterMs).to.be.within(5_000, 40_000)
    expect((await failing(respondJson({}, 503, { 'retry-after': '99999999' }))).retryAfterMs).to.equal(60_000)
    expect((await failing(respondJson({}, 503, { 'retry-after': 'soon' }))).retryAfterMs).to.equal(undefined)
  })

  it('quotes the response without digits, because a number may be a stock count', async () => {
    const said = 'only 7919.137 of X-12 left'
    const failures = [
      await failing(respondJson({ said }, 500)),
      await failing(respondJson({ said }, 409)),
      await failing((response) => void response.end(`{"available":7919.137,}`)),
      await failing((response) => void response.end(`{"available":7919.137,"ok":7919.137}`)),
    ]
    for (const { message } of failures) expect(message).not.to.contain('7919')
    expect(failures[0]!.message).to.contain('only #.# of X-# left')
  })

  it('keeps no digits of a broken response in the cause either', async () => {
    upstream.script = (response) => void response.end('{"available":7919.137,<<')
    const error = await failureOf(client.json(Anything, GET, createCall()))
    expect(String((error.cause as Error | undefined)?.message ?? '')).not.to.contain('7919')
  })

  it('aborts a response that is too long, long before its end', async () => {
    let sent = 0
    upstream.script = (response) => {
      const more = () => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', more)
        }
      }
      more()
    }
    const { failure } = await failureOf(client.json(Anything, GET, createCall()))
    expect(failure).to.equal('invalid')
    expect(sent).to.be.below(20_000_000)
    await untilTrue(() => upstream.pending === 0)
  })

  it('refuses more bytes than the requested rows can need', async () => {
    await using large = createHttpClient({ address: upstream.address, maxSockets: 2, maxResponseBytes: 16_000_000 })
    const read = (rows?: number) =>
      large.json(Anything, { ...GET, ...(rows !== undefined && { rows }) }, createCall()).then(
        () => 'read',
        (error: UpstreamError) => error.failure,
      )
    const pad = 'x'.repeat(3_000_000)
    for (const headers of [{}, { 'content-length': String(JSON.stringify({ ok: true, pad }).length) }]) {
      upstream.script = respondJson({ ok: true, pad }, 200, headers)
      expect([await read(20), await read(200), await read()]).to.deep.equal(['invalid', 'read', 'read'])
    }
    await untilTrue(() => upstream.pending === 0)
  })

  it('refuses a response that is announced as too long, and accepts one of exactly the limit', async () => {
    const fits = JSON.stringify({ ok: true }).padEnd(limits.maxResponseBytes)
    upstream.script = (response) => void response.end(fits)
    expect(await client.json(Anything, GET, createCall())).to.deep.equal({ ok: true })
    expect((await failing((response) => void response.end(`${fits} `))).failure).to.equal('invalid')
  })

  for (const [what, script] of [
    ['before the answer', hang],
    ['in the middle of it', (response) => void response.writeHead(200).write('{"ok"')],
    ['while it trickles', (response) => void setInterval(() => response.destroyed || response.write(' '), 5).unref()],
  ] as [string, UpstreamScript][]) {
    it(`aborts ${what}, with the reason`, async () => {
      upstream.script = script
      const cut = upstream.aborted
      const asked = upstream.requests.length
      const leaving = new AbortController()
      const failed = failureOf(client.json(Anything, GET, createCall({ signal: leaving.signal })))
      await untilTrue(() => upstream.requests.length > asked)
      leaving.abort(new UpstreamError('timeout', 'over'))
      expect((await failed).failure).to.equal('timeout')
      await untilTrue(() => upstream.aborted > cut)
    })
  }

  it('reports that a request was sent, and that its response has begun', async () => {
    const progress: string[] = []
    const call = { ...createCall(), onExchange: (one: string) => void progress.push(one) }
    upstream.script = respondJson({ ok: true })
    await client.json(Anything, GET, call)
    expect(progress).to.deep.equal(['sent', 'responding'])
  })

  it('sends nothing for a call that was aborted before', async () => {
    const asked = upstream.requests.length
    const { failure } = await failureOf(client.send(GET, createCall({ signal: AbortSignal.abort() })))
    expect([failure, upstream.requests.length]).to.deep.equal(['aborted', asked])
  })

  it('treats a connection that breaks during a response as an unavailable system', async () => {
    const broken = await failing((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"ok":true')
      setImmediate(() => response.destroy())
    })
    expect(broken).to.include({ failure: 'unavailable', retryable: true })
  })

  it('runs close handlers once, while there are connections', async () => {
    upstream.script = respondJson({ ok: true })
    const ending = createHttpClient({ address: upstream.address, ...limits })
    const before = upstream.requests.length
    ending.onClose((call) => ending.json(Anything, { ...GET, path: '/logout' }, call))
    // The time limit of the handlers must not pass on a slow machine.
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      await ending[Symbol.asyncDispose]()
      await ending[Symbol.asyncDispose]()
    } finally {
      mock.timers.reset()
    }
    expect(upstream.requests.slice(before).map(({ path }) => path)).to.deep.equal(['/logout'])
  })

  it('closes even if a close handler fails or hangs', async () => {
    const ending = createHttpClient({ address: upstream.address, ...limits })
    ending.onClose(() => {
      throw new Error('at once')
    })
    ending.onClose(() => Promise.reject(new Error('later')))
    let over = false
    ending.onClose((call) => {
      call.signal.addEventListener('abort', () => (over = true))
      return new Promise(() => {})
    })
    await ending[Symbol.asyncDispose]()
    expect(over).to.equal(true)
    expect((await failureOf(ending.send(GET, createCall()))).failure).to.equal('unavailable')
  })

  it('treats a refused connection as an unavailable system', async () => {
    const gone = await startScriptedUpstream()
    await gone.close()
    await using lost = createHttpClient({ address: gone.address, ...limits })
    expect(await failureOf(lost.send(GET, createCall()))).to.include({ failure: 'unavailable', retryable: true })
  })
})
