import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { handleMalformedRequests } from '../../../src/http/server/malformed-requests.ts'
import { createPipelining } from '../../../src/http/server/pipelining-limit.ts'
import { until } from '../../support/until.ts'

const CHECKED_OFTEN = { connectionsCheckingInterval: 5 }
const NEVER_MS = 600_000
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`
const post = (path: string, body: string, length = body.length) =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Length: ${length}\r\n\r\n${body}`

describe('a request that arrives behind others', () => {
  let server: Server
  let client: Socket
  let received: string
  let errors: (string | undefined)[]
  const open = new Map<string, ServerResponse>()

  const leaveOpen: RequestListener = (request, response) => void open.set(request.url!, response)
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)

  async function start(timeoutMs: number, options: object = {}) {
    const pipelining = createPipelining()
    server = createServer(options, pipelining.limit(leaveOpen)).listen(0, '127.0.0.1')
    server.on('clientError', (error: NodeJS.ErrnoException) => void errors.push(error.code))
    handleMalformedRequests(server, pipelining, timeoutMs)
    await once(server, 'listening')
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    client.on('data', (chunk) => {
      received += chunk
    })
    await once(client, 'connect')
  }
  async function answer(path: string) {
    await until(`${path} has arrived`, () => open.has(path))
    open.get(path)!.end(`end of ${path}`)
  }
  /** Lets Node's own timeouts expire. They are long until then: on a busy machine, the server may read late what was sent. */
  async function expire() {
    await until('it has been read', () => open.size > 0)
    Object.assign(server, { headersTimeout: 20, requestTimeout: 20 })
    await until('Node’s timeout has expired', () => errors.includes('ERR_HTTP_REQUEST_TIMEOUT'))
  }

  beforeEach(() => {
    received = ''
    errors = []
    open.clear()
  })
  afterEach(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })

  for (const [what, part, rest] of [
    ['its headers', 'GET /late HTTP/1.1\r\nHo', 'st: here\r\n\r\n'],
    ['its body', post('/late', 'a', 2), 'b'],
  ] as const) {
    it(`may take as long as the others do, with a part of ${what}`, async () => {
      await start(NEVER_MS, CHECKED_OFTEN)
      client.write(get('/1') + get('/2') + part)
      await expire()
      await answer('/1')
      await answer('/2')
      client.write(rest)
      await answer('/late')
      await until('it is answered', () => received.includes('end of /late'))
      expect(statuses()).to.deep.equal(['200', '200', '200'])
    })

    it(`gets 408 after them when the rest of ${what} does not follow`, async () => {
      await start(20, CHECKED_OFTEN)
      const closed = once(client, 'close')
      client.write(get('/1') + get('/2') + part)
      await expire()
      await answer('/1')
      await answer('/2')
      await closed
      expect(statuses()).to.deep.equal(['200', '200', '408'])
    })
  }

  it('gets 408 when only its body is late, and nothing else is in progress', async () => {
    await start(NEVER_MS, { ...CHECKED_OFTEN, headersTimeout: 20, requestTimeout: 20 })
    const closed = once(client, 'close')
    client.write(post('/late', 'a', 2))
    await closed
    expect(statuses()).to.deep.equal(['408'])
  })
})

describe('bytes that are no request', () => {
  let server: Server
  const handled: string[] = []
  const open = new Map<string, ServerResponse>()

  beforeEach(async () => {
    handled.length = 0
    open.clear()
    const pipelining = createPipelining()
    server = createServer(
      pipelining.limit((request, response) => {
        handled.push(request.url!)
        open.set(request.url!, response)
      }),
    ).listen(0, '127.0.0.1')
    handleMalformedRequests(server, pipelining, NEVER_MS)
    await once(server, 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function send(bytes: string, ...paths: string[]): Promise<string[]> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    const closed = once(client, 'close')
    const refused = once(server, 'clientError')
    client.write(bytes)
    await refused
    for (const path of paths) {
      await until(`${path} has arrived`, () => open.has(path))
      open.get(path)!.end(`end of ${path}`)
    }
    await closed
    return [...text.matchAll(/HTTP\/1\.1 (\d{3}) |end of \/\d/g)].map(([found, status]) => status ?? found)
  }

  it('get 400 after the response to the request before them', async () => {
    expect(await send(`${post('/1', '{}')}junk\r\n\r\n`, '/1')).to.deep.equal(['200', 'end of /1', '400'])
  })

  it('get 400 after the responses to all requests that wait', async () => {
    const text = await send(`${post('/1', '{}')}${get('/2')}${get('/3')}junk\r\n\r\n`, '/1', '/2', '/3')
    expect(text).to.deep.equal(['200', 'end of /1', '200', 'end of /2', '200', 'end of /3', '400'])
  })

  it('get 400 instead of the request whose body they are', async () => {
    const chunked = 'POST /2 HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n'
    expect(await send(chunked)).to.deep.equal(['400'])
    expect(await send(get('/1') + chunked, '/1')).to.deep.equal(['200', 'end of /1', '400'])
    expect(handled).to.deep.equal(['/2', '/1'])
  })
})
