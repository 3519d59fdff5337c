import { Agent } from 'node:http'
import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { sendHttpRequest, sendRawBytes } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'

/** Parses the responses of a raw exchange: their status, and whether they have the common headers. */
function parseResponses(text: string) {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter(Boolean)
    .map((one) => ({
      status: Number(one.slice(9, 12)),
      mode: /\r\nX-Service-Mode: (\w+)\r\n/i.exec(one)?.[1],
      named: /\r\nX-Request-Id: [\w.-]+\r\n/i.test(one),
      readers: /\r\nAccess-Control-Allow-Origin: (\S+)\r\n/i.exec(one)?.[1],
      code: /"code":"(\w+)"/.exec(one)?.[1],
    }))
}

describe('a connection', () => {
  let api: Api
  let key: string
  /** A server with short timeouts. */
  let hurried: Api

  before(async () => {
    // Connections are closed soon after the last request, so that every response is read completely.
    api = await startApi({ serverLimits: { keepAliveTimeout: 150 } })
    key = await api.key()
    const serverLimits = { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 20 }
    hurried = await startApi({ serverLimits })
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await hurried[Symbol.asyncDispose]()
  })

  const raw = (...writes: (string | Uint8Array)[]) => sendRawBytes(api.address, ...writes)
  const rawSlowly = (...writes: (string | Uint8Array)[]) => sendRawBytes(hurried.address, ...writes)
  const head = (line: string, ...headers: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...headers].join('\r\n')}\r\n\r\n`

  for (const [what, bytes, status] of [
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS greeting', Buffer.from('160301020001000001fc0303', 'hex'), 400],
    ['a method that is none', 'GRAB / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n', 400],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\u0000c\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nHOST: x\r\nConnection: close\r\n\r\n', 400],
    ['two hosts in HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['a target that is no URL', 'GET http://[::/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a target without a path', 'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address over 16 KiB', `GET /${'b'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      'an expectation that is none',
      'GET /health HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
      417,
    ],
  ] as const) {
    it(`that sends ${what} gets ${status}, with the headers of every response, which any page may read`, async () => {
      const [response, ...more] = parseResponses(await raw(bytes))
      expect(more).to.deep.equal([])
      expect(response).to.deep.equal({ status, mode: 'live', named: true, readers: '*', code: 'bad_request' })
    })
  }

  it('that sends incomplete headers is closed', async () => {
    const [response] = parseResponses(await rawSlowly('GET /health HTTP/1.1\r\nHost: x\r\nX-Sl'))
    expect(response).to.deep.equal({ status: 408, mode: 'live', named: true, readers: '*', code: 'bad_request' })
  })

  it('that never completes its body gets 408, and is closed', async () => {
    const own = `Authorization: Bearer ${await hurried.key()}`
    const lines = ['POST /v1/availability/batch HTTP/1.1', 'Host: x', own]
    const post = `${[...lines, 'Content-Type: application/json', 'Content-Length: 100'].join('\r\n')}\r\n\r\n`
    const [response, ...more] = parseResponses(await rawSlowly(`${post}{"skus":[`))
    expect(more).to.deep.equal([])
    expect(response).to.deep.equal({ status: 408, mode: 'live', named: true, readers: '*', code: 'bad_request' })
    const key = await hurried.key()
    const ping = () => hurried.request('/v1/ping', { key }).catch(() => null)
    // A busy machine may read a request later than this server waits for it.
    await until('another request is answered', async () => (await ping())?.status === 200)
  })

  it('that never completes its body gets 408, even if idle connections are closed earlier', async () => {
    const serverLimits = {
      headersTimeout: 150,
      requestTimeout: 200,
      connectionsCheckingInterval: 20,
      idleTimeoutMs: 60,
    }
    await using eager = await startApi({ serverLimits })
    const lines = ['POST /v1/availability/batch HTTP/1.1', 'Host: x', `Authorization: Bearer ${await eager.key()}`]
    const post = `${[...lines, 'Content-Type: application/json', 'Content-Length: 100'].join('\r\n')}\r\n\r\n`
    const [response] = parseResponses(await sendRawBytes(eager.address, `${post}{`))
    expect(response).to.deep.equal({ status: 408, mode: 'live', named: true, readers: '*', code: 'bad_request' })
  })

  it('that sends nothing is closed', async () => {
    expect(parseResponses(await rawSlowly()).every(({ status, named }) => status === 408 && named)).to.equal(true)
  })

  it('that stays idle after a response is closed', async () => {
    const [response] = parseResponses(await raw(head('GET /v1/ping')))
    expect(response).to.include({ status: 200, mode: 'sandbox', named: true })
  })

  it('that pipelines requests gets the responses in order', async () => {
    const ids = ['one', 'two', 'three', 'four']
    const paths = ['/v1/products?limit=200', '/v1/nowhere', '/v1/products/BP-1001', '/v1/products/BP-1001']
    const text = await raw(paths.map((path, at) => head(`GET ${path}`, `X-Request-Id: ${ids[at]}`)).join(''))
    expect([...text.matchAll(/X-Request-Id: (\w+)/gi)].map(([, id]) => id)).to.deep.equal(ids)
    expect(parseResponses(text).map(({ status }) => status)).to.deep.equal([200, 404, 200, 200])
  })

  it('that pipelines malformed bytes after a valid request still gets well-formed responses', async () => {
    const text = await raw(`${head('GET /v1/ping')}nonsense\r\n\r\n`)
    for (const response of parseResponses(text)) expect(response).to.include({ named: true })
    expect(parseResponses(text).at(-1)!.status).to.equal(400)
  })

  it('stays open for the next request, also after an error', async () => {
    await using patient = await startApi()
    const own = await patient.key()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    agent.on('free', (socket) => ports.add(socket.localPort))
    const headers = { authorization: `Bearer ${own}` }
    for (const path of ['/v1/ping', '/v1/products?limit=0', '/v1/nowhere', '/v1/products/BP-1001', '/health']) {
      await sendHttpRequest(patient.address, path, { headers }, agent)
    }
    agent.destroy()
    expect(ports.size).to.equal(1)
  })

  it('may use HTTP/1.0', async () => {
    const [response] = parseResponses(await raw(`GET /v1/ping HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`))
    expect(response).to.include({ status: 200, mode: 'sandbox', named: true })
  })

  for (const target of ['*', 'http://elsewhere.example/v1/ping', 'http://elsewhere.example', '/v1/ping#part', '/%']) {
    it(`may send the unusual target ${target}, and gets a response`, async () => {
      const method = target === '*' ? 'OPTIONS' : 'GET'
      const [response] = parseResponses(await raw(head(`${method} ${target}`, 'Connection: close')))
      expect(response).to.include({ named: true, mode: 'sandbox' })
      expect(response!.status).to.be.below(500)
    })
  }

  it('that requests a protocol upgrade gets an HTTP/1.1 response', async () => {
    const upgradeHeaders = ['Connection: Upgrade', 'Upgrade: websocket']
    const [response] = parseResponses(await raw(head('GET /v1/ping', ...upgradeHeaders)))
    expect(response).to.include({ status: 200, named: true })
  })

  it('that closes before its response does not affect others', async () => {
    const leaving = Array.from({ length: 20 }, () => {
      const cut = new AbortController()
      const headers = { authorization: `Bearer ${key}` }
      const pending = fetch(`${api.address}/v1/products?limit=200&q=front`, { headers, signal: cut.signal })
      cut.abort()
      return pending.catch((error: Error) => error.name)
    })
    expect(new Set(await Promise.all(leaving))).to.deep.equal(new Set(['AbortError']))
    expect((await api.request('/v1/products?limit=1&q=front', { key })).status).to.equal(200)
  })
})
