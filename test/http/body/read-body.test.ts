import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import Koa from 'koa'
import { Problem } from '../../../src/errors.ts'
import { createBodyBudget } from '../../../src/http/body/body-budget.ts'
import { isClientGone, readBody, readRawBody } from '../../../src/http/body/read-body.ts'
import { type Api, startApi } from '../../support/api.ts'
import { until } from '../../support/until.ts'

const LIMIT = 1000
const API_LIMIT = 304 * 1_024
const BATCH = '/v1/availability/batch'
/** Two bodies without a Content-Length, and their requests. */
const BUDGET_BYTES = 2 * (LIMIT + 16_384)
const JSON_TYPE = { 'content-type': 'application/json' }

describe('reading a body', () => {
  let server: Server
  let port: number
  let failures: unknown[]
  let finished: PromiseWithResolvers<number>

  beforeEach((done) => {
    failures = []
    finished = Promise.withResolvers()
    const app = new Koa()
    app.on('error', (error, ctx) => isClientGone(ctx) || failures.push(error))
    app.use(async (ctx, next) => {
      await next().catch((error) => {
        if (!(error instanceof Problem)) throw error
        ctx.status = error.status
        ctx.set(error.headers)
        ctx.body = { code: error.code }
      })
      finished.resolve(ctx.status)
    })
    app.use(readBody({ limit: LIMIT, budget: createBodyBudget(BUDGET_BYTES) }))
    app.use((ctx) => {
      ctx.body = ctx.state.body
    })
    server = createServer(app.callback()).listen(0, '127.0.0.1', () => {
      port = (server.address() as AddressInfo).port
      done()
    })
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function post(body: RequestInit['body'] | undefined, headers: Record<string, string> = JSON_TYPE) {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body, duplex: 'half' as const }),
    })
    const result = (await response.json()) as { kind?: string; text?: string; code?: string }
    return { status: response.status, body: result }
  }

  it('returns the text by its content type', async () => {
    const text = '{"a":"é😀"}'
    expect((await post(text)).body).to.deep.equal({ kind: 'json', text })
    expect((await post(text, { 'content-type': 'Application/Problem+JSON; charset=utf-8' })).body.kind).to.equal('json')
    expect((await post(text, { 'content-type': 'text/plain' })).body).to.deep.equal({ kind: 'other', text })
    expect((await post(text, { 'content-type': '' })).body.kind).to.equal('other')
    expect((await post(Buffer.from(text), {})).body.kind).to.equal('other')
    expect((await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).body.text).to.equal('a=1')
  })

  it('reports a missing body', async () => {
    expect((await post(undefined)).body).to.deep.equal({ kind: 'absent' })
    expect((await post('')).body).to.deep.equal({ kind: 'absent' })
    expect((await post(undefined, { ...JSON_TYPE, 'content-encoding': 'gzip' })).body).to.deep.equal({ kind: 'absent' })
  })

  it('treats bytes that are not UTF-8 as invalid JSON', async () => {
    expect((await post(Buffer.from([0xff, 0xfe]))).body).to.deep.equal({ kind: 'json', text: '' })
    expect((await post(Buffer.from('"\xe9"', 'latin1'))).body).to.deep.equal({ kind: 'json', text: '' })
    expect((await post('\ufeff{}')).body).to.deep.equal({ kind: 'json', text: '{}' })
  })

  it('stops at the limit, declared or streamed', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let chunk = 0; chunk < 11; chunk += 1) controller.enqueue(new Uint8Array(100))
        controller.close()
      },
    })
    const refusal = { status: 413, body: { code: 'payload_too_large' } }
    expect((await post('x'.repeat(LIMIT))).status).to.equal(200)
    expect(await post('x'.repeat(LIMIT + 1))).to.deep.equal(refusal)
    expect(await post(stream)).to.deep.equal(refusal)
  })

  it('receives the rest of a body that is too large, so that a proxy sees the response', async () => {
    const socket = connect(port, '127.0.0.1')
    const received: string[] = []
    socket.setEncoding('utf8').on('data', (text: string) => received.push(text))
    const announced = 2 * LIMIT
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${announced}\r\n\r\n${'x'.repeat(LIMIT)}`)
    await until('the refusal arrives', async () => received.join('').includes('payload_too_large'))
    socket.write('x'.repeat(announced - LIMIT))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
    await until('the next request of the connection is answered', async () =>
      received.join('').includes('HTTP/1.1 200'),
    )
    socket.destroy()
  })

  for (const [encoding, compress] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
    it(`decompresses ${encoding}, and limits the decompressed size`, async () => {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding }
      expect((await post(compress('{"b":2}'), headers)).body).to.deep.equal({ kind: 'json', text: '{"b":2}' })
      expect((await post(compress('y'.repeat(100_000)), headers)).status).to.equal(413)
      const broken = compress('{"b":"222222222222"}').subarray(0, -6)
      expect(await post(broken, headers)).to.deep.equal({ status: 415, body: { code: 'unsupported_media_type' } })
    })
  }

  it('responds while a broken body is still being sent', async () => {
    const socket = connect(port, '127.0.0.1')
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-encoding: gzip\r\ncontent-length: 900\r\n\r\nno gzip at all'
    const result = new Promise<Buffer>((resolve) => socket.once('data', resolve))
    socket.write(head)
    expect(String(await result)).to.match(/^HTTP\/1.1 415 /)
    socket.destroy()
  })

  for (const [what, head, part] of [
    ['announced', 'content-length: 1000\r\n\r\n', 'a'],
    ['chunked', 'transfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'],
    ['compressed', 'content-length: 900\r\ncontent-encoding: gzip\r\n\r\n', gzipSync('{}').subarray(0, 12)],
  ] as const)
    it(`rejects the oldest unfinished body, ${what}, when there are too many`, async () => {
      const replies = await Promise.all(
        [1, 2, 3].map(async () => {
          const socket = connect(port, '127.0.0.1').on('error', () => {})
          const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
          await new Promise<void>((resolve) => {
            socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head}`)
            socket.write(part, () => resolve())
          })
          return { socket, answer }
        }),
      )
      const first = await Promise.race(replies.map(({ answer }) => answer))
      expect(first).to.match(/^HTTP\/1\.1 503 .*connection: close.*retry-after: 1.*"code":"overloaded"/is)
      expect((await post('{}')).status).to.equal(200)
      for (const { socket } of replies) socket.destroy()
      await until('the memory of the others is free again', async () => {
        const later = await Promise.all([post('{"a":1}'), post('{"b":2}')])
        return later.every(({ status }) => status === 200)
      })
    })

  it('of a client that disconnected before it is read is not waited for', async () => {
    const request = Object.assign(Readable.from([]), { complete: false, headers: { 'content-length': '5' } })
    request.destroy()
    await new Promise((resolve) => request.once('close', resolve))
    expect(await readRawBody({ req: request as never }, LIMIT)).to.equal(null)
  })

  it('rejects an unknown encoding', async () => {
    for (const encoding of ['zstd', '__proto__', 'gzip, br']) {
      expect((await post('{}', { ...JSON_TYPE, 'content-encoding': encoding })).status, encoding).to.equal(415)
    }
  })

  for (const encoding of ['identity', 'gzip']) {
    it(`does not report a client that disconnects while sending ${encoding} as an error`, async () => {
      const socket = connect(port, '127.0.0.1')
      const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-encoding: ${encoding}\r\ncontent-length: 500\r\n\r\n`
      socket.write(Buffer.concat([Buffer.from(head), gzipSync('{}').subarray(0, 12)]), () => socket.destroy())
      expect(await finished.promise).to.equal(499)
      expect(failures).to.deep.equal([])
    })
  }
})

describe('a body that is sent to the API', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const batchOf = (bytes: number) => {
    const empty = JSON.stringify({ skus: ['BP-1001'], padding: '' })
    return JSON.stringify({ skus: ['BP-1001'], padding: 'x'.repeat(bytes - empty.length) })
  }

  it('of 304 KiB is accepted, and of one byte more is 413', async () => {
    expect((await api.request(BATCH, { key, body: batchOf(API_LIMIT) })).status).to.equal(200)
    const { status, body } = await api.request(BATCH, { key, body: batchOf(API_LIMIT + 1) })
    expect([status, body.code]).to.deep.equal([413, 'payload_too_large'])
    expect(body.detail).to.equal(
      'The request body is larger than 304 KiB, the limit of this call. Split a long list into several calls, and omit members that the call does not have.',
    )
  })

  it('that exceeds 304 KiB without a Content-Length is 413', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    expect((await api.request(BATCH, { key, headers, body: batchOf(API_LIMIT + 1) })).status).to.equal(413)
  })

  it('that decompresses to more than 304 KiB is 413', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expect((await api.request(BATCH, { key, headers, body: gzipSync(batchOf(512 * API_LIMIT)) })).status).to.equal(413)
    expect((await api.request(BATCH, { key, headers, body: gzipSync(batchOf(API_LIMIT)) })).status).to.equal(200)
  })

  it('of an unknown content coding is 415', async () => {
    const { status, body } = await api.request(BATCH, { key, headers: { 'content-encoding': 'zstd' }, body: '{}' })
    expect([status, body.code]).to.deep.equal([415, 'unsupported_media_type'])
  })

  it('of a GET is ignored', async () => {
    const { status } = await api.request('/v1/ping', { key, method: 'GET', body: 'whatever' })
    expect(status).to.equal(200)
  })
})
