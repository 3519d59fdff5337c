import { Agent } from 'node:http'
import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { exchange, rawExchange } from '../support/http-exchange.ts'

/** Each answer of a raw exchange: its status, and whether it holds what every answer must. */
function answers(text: string) {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter(Boolean)
    .map((one) => ({
      status: Number(one.slice(9, 12)),
      mode: /\r\nX-Service-Mode: (\w+)\r\n/i.exec(one)?.[1],
      named: /\r\nX-Request-Id: [\w.-]+\r\n/i.test(one),
      code: /"code":"(\w+)"/.exec(one)?.[1],
    }))
}

describe('a connection', () => {
  let api: Api
  let key: string
  /** Cuts whoever is slow to ask. */
  let hurried: Api

  before(async () => {
    // Soon closed when nothing more is asked: what comes at all is read whole, however slowly.
    api = await startApi({ serverLimits: { keepAliveTimeout: 150 } })
    key = await api.key()
    const serverLimits = { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 20 }
    hurried = await startApi({ serverLimits })
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await hurried[Symbol.asyncDispose]()
  })

  const raw = (...writes: (string | Uint8Array)[]) => rawExchange(api.address, ...writes)
  const rawSlowly = (...writes: (string | Uint8Array)[]) => rawExchange(hurried.address, ...writes)
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
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address over 16 KiB', `GET /${'b'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      'an expectation that is none',
      'GET /health HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
      417,
    ],
  ] as const) {
    it(`that sends ${what} gets ${status}, with the two headers of every answer`, async () => {
      const [answer, ...more] = answers(await raw(bytes))
      expect(more).to.deep.equal([])
      expect(answer).to.include({ status, mode: 'live', named: true })
    })
  }

  it('that sends half a head is cut', async () => {
    const [answer] = answers(await rawSlowly('GET /health HTTP/1.1\r\nHost: x\r\nX-Sl'))
    expect(answer).to.deep.equal({ status: 408, mode: 'live', named: true, code: 'bad_request' })
  })

  it('that never ends its body is cut', async () => {
    const own = `Authorization: Bearer ${await hurried.key()}`
    const lines = ['POST /v1/availability/batch HTTP/1.1', 'Host: x', own]
    const post = `${[...lines, 'Content-Type: application/json', 'Content-Length: 100'].join('\r\n')}\r\n\r\n`
    const [answer] = answers(await rawSlowly(`${post}{"skus":[`))
    expect(answer === undefined || (answer.status === 408 && answer.named)).to.equal(true)
  })

  it('that says nothing is cut', async () => {
    expect(answers(await rawSlowly()).every(({ status, named }) => status === 408 && named)).to.equal(true)
  })

  it('that is kept and not used is closed', async () => {
    const [answer] = answers(await raw(head('GET /v1/ping')))
    expect(answer).to.include({ status: 200, mode: 'sandbox', named: true })
  })

  it('that pipelines gets its answers in order', async () => {
    const ids = ['one', 'two', 'three', 'four']
    const paths = ['/v1/products?limit=200', '/v1/nowhere', '/v1/products/BP-1001', '/v1/products/BP-1001']
    const text = await raw(paths.map((path, at) => head(`GET ${path}`, `X-Request-Id: ${ids[at]}`)).join(''))
    expect([...text.matchAll(/X-Request-Id: (\w+)/gi)].map(([, id]) => id)).to.deep.equal(ids)
    expect(answers(text).map(({ status }) => status)).to.deep.equal([200, 404, 200, 200])
  })

  it('that pipelines nonsense after a good request still gets well-formed answers', async () => {
    const text = await raw(`${head('GET /v1/ping')}nonsense\r\n\r\n`)
    for (const answer of answers(text)) expect(answer).to.include({ named: true })
    expect(answers(text).at(-1)!.status).to.equal(400)
  })

  it('is kept for the next request, after a failure too', async () => {
    await using patient = await startApi()
    const own = await patient.key()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    agent.on('free', (socket) => ports.add(socket.localPort))
    const headers = { authorization: `Bearer ${own}` }
    for (const path of ['/v1/ping', '/v1/products?limit=0', '/v1/nowhere', '/v1/products/BP-1001', '/health']) {
      await exchange(patient.address, path, { headers }, agent)
    }
    agent.destroy()
    expect(ports.size).to.equal(1)
  })

  it('may ask in HTTP/1.0', async () => {
    const [answer] = answers(await raw(`GET /v1/ping HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`))
    expect(answer).to.include({ status: 200, mode: 'sandbox', named: true })
  })

  for (const target of ['*', 'http://elsewhere.example/v1/ping', 'http://elsewhere.example', '/v1/ping#part', '/%']) {
    it(`may ask for the odd target ${target}, and is answered`, async () => {
      const method = target === '*' ? 'OPTIONS' : 'GET'
      const [answer] = answers(await raw(head(`${method} ${target}`, 'Connection: close')))
      expect(answer).to.include({ named: true, mode: 'sandbox' })
      expect(answer!.status).to.be.below(500)
    })
  }

  it('that wants to be another protocol is answered in this one', async () => {
    const wanted = ['Connection: Upgrade', 'Upgrade: websocket']
    const [answer] = answers(await raw(head('GET /v1/ping', ...wanted)))
    expect(answer).to.include({ status: 200, named: true })
  })

  it('that leaves before its answer harms nobody', async () => {
    const leaving = Array.from({ length: 20 }, () => {
      const cut = new AbortController()
      const headers = { authorization: `Bearer ${key}` }
      const asked = fetch(`${api.address}/v1/products?limit=200&q=front`, { headers, signal: cut.signal })
      cut.abort()
      return asked.catch((error: Error) => error.name)
    })
    expect(new Set(await Promise.all(leaving))).to.deep.equal(new Set(['AbortError']))
    expect((await api.ask('/v1/products?limit=1&q=front', { key })).status).to.equal(200)
  })
})
