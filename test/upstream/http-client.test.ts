import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import Type from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import { createHttpClient } from '../../src/upstream/http-client.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import {
  callOf,
  failureOf,
  hang,
  respondJson,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamScript,
  untilTrue,
} from '../support/scripted-upstream.ts'

const Anything = responseSchema(Type.Object({ ok: Type.Boolean() }))
const GET = { method: 'GET' as const, path: '/x' }
const limits = { maxSockets: 8, maxResponseBytes: 100_000 }

describe('the upstream client', () => {
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
    const { failure, retryable, retryAfterMs, message } = await failureOf(client.json(Anything, GET, callOf()))
    return { failure, retryable, retryAfterMs, message }
  }

  it('sends the path, the query, the request id and the time left', async () => {
    upstream.script = respondJson({ ok: true })
    const query = { q: 'a&b=ü', none: undefined, n: 0 }
    await client.json(Anything, { ...GET, query }, callOf({ timeoutMs: 123.9 }))
    const { path, headers } = upstream.seen.at(-1)!
    expect(path).to.equal('/base/x?q=a%26b%3D%C3%BC&n=0')
    expect([headers['x-request-id'], headers['x-request-timeout-ms'], headers['accept-encoding']]).to.deep.equal([
      'req-1',
      '123',
      undefined,
    ])
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
    it(`takes ${what} for an invalid answer`, async () => {
      const { failure, retryable } = await failing((response) => void response.writeHead(200).end(text))
      expect([failure, retryable]).to.deep.equal(['invalid', false])
    })
  }

  for (const status of [201, 204, 301, 302, 307, 304]) {
    it(`takes ${status} for an invalid answer, and follows nothing`, async () => {
      const asked = upstream.seen.length
      expect((await failing((response) => void response.writeHead(status, { location: '/y' }).end())).failure).to.equal(
        'invalid',
      )
      expect(upstream.seen.length).to.equal(asked + 1)
    })
  }

  for (const status of [400, 401, 403, 404, 422]) {
    it(`takes ${status} for a refusal`, async () => {
      expect((await failing(respondJson({}, status))).failure).to.equal('rejected')
    })
  }

  it('hands on a file as it came, and takes 404 for none', async () => {
    const bytes = Buffer.from([0, 255, 128, 0x89, 0x50])
    upstream.script = (response) => void response.writeHead(200, { etag: '"v1"' }).end(bytes)
    const file = await client.bytes(GET, callOf())
    expect([Buffer.from(file!.bytes), file!.headers.etag]).to.deep.equal([bytes, '"v1"'])
    expect(upstream.seen.at(-1)!.headers).to.include({ accept: '*/*', 'x-request-id': 'req-1' })
    upstream.script = (response) => void response.writeHead(404).end()
    expect(await client.bytes(GET, callOf())).to.equal(null)
  })

  it('fails over a file as over anything else', async () => {
    const failing = async (script: UpstreamScript) => {
      upstream.script = script
      return (await failureOf(client.bytes(GET, callOf()))).failure
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

  it('tells when to come back, in seconds or as a date, and not later than in a minute', async () => {
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

  it('quotes what the system said without its numbers: one of them may be a stock count', async () => {
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

  it('keeps no number of a broken answer in the cause either', async () => {
    upstream.script = (response) => void response.end('{"available":7919.137,<<')
    const error = await failureOf(client.json(Anything, GET, callOf()))
    expect(String((error.cause as Error | undefined)?.message ?? '')).not.to.contain('7919')
  })

  it('cuts an answer that is too long, long before its end', async () => {
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
    const { failure } = await failureOf(client.json(Anything, GET, callOf()))
    expect(failure).to.equal('invalid')
    expect(sent).to.be.below(20_000_000)
    await untilTrue(() => upstream.waiting === 0)
  })

  it('cuts an answer that was announced as too long, and takes one of the very limit', async () => {
    const fits = JSON.stringify({ ok: true }).padEnd(limits.maxResponseBytes)
    upstream.script = (response) => void response.end(fits)
    expect(await client.json(Anything, GET, callOf())).to.deep.equal({ ok: true })
    expect((await failing((response) => void response.end(`${fits} `))).failure).to.equal('invalid')
  })

  for (const [what, script] of [
    ['before the answer', hang],
    ['in the middle of it', (response) => void response.writeHead(200).write('{"ok"')],
    ['while it trickles', (response) => void setInterval(() => response.destroyed || response.write(' '), 5).unref()],
  ] as [string, UpstreamScript][]) {
    it(`leaves when it is told to, ${what}, and says why`, async () => {
      upstream.script = script
      const cut = upstream.cut
      const asked = upstream.seen.length
      const leaving = new AbortController()
      const failed = failureOf(client.json(Anything, GET, callOf({ signal: leaving.signal })))
      await untilTrue(() => upstream.seen.length > asked)
      leaving.abort(new UpstreamError('timeout', 'over'))
      expect((await failed).failure).to.equal('timeout')
      await untilTrue(() => upstream.cut > cut)
    })
  }

  it('asks nothing for one who has left', async () => {
    const asked = upstream.seen.length
    const { failure } = await failureOf(client.send(GET, callOf({ signal: AbortSignal.abort() })))
    expect([failure, upstream.seen.length]).to.deep.equal(['aborted', asked])
  })

  it('takes a connection that breaks in the middle of an answer for an unavailable system', async () => {
    const broken = await failing((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"ok":true')
      setImmediate(() => response.destroy())
    })
    expect(broken).to.include({ failure: 'unavailable', retryable: true })
  })

  it('has what is to be said at the end said while there are connections, and only once', async () => {
    upstream.script = respondJson({ ok: true })
    const ending = createHttpClient({ address: upstream.address, ...limits })
    const before = upstream.seen.length
    ending.onClose((call) => ending.json(Anything, { ...GET, path: '/logout' }, call))
    await ending[Symbol.asyncDispose]()
    await ending[Symbol.asyncDispose]()
    expect(upstream.seen.slice(before).map(({ path }) => path)).to.deep.equal(['/logout'])
  })

  it('is closed whatever becomes of that', async () => {
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
    expect((await failureOf(ending.send(GET, callOf()))).failure).to.equal('unavailable')
  })

  it('takes a port that nobody listens on for an unavailable system', async () => {
    const gone = await startScriptedUpstream()
    await gone.close()
    await using lost = createHttpClient({ address: gone.address, ...limits })
    expect(await failureOf(lost.send(GET, callOf()))).to.include({ failure: 'unavailable', retryable: true })
  })
})
