import { once } from 'node:events'
import { Agent, type RequestListener, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { type HttpServer, startHttpServer } from '../../../src/http/server/server.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import { until } from '../../support/until.ts'

/** Longer than any test takes. */
const TEST_LIMIT_MS = 600_000

/** A server whose responses are left open until the test ends them. */
async function startHangingServer(drainTimeoutMs?: number) {
  const responses: ServerResponse[] = []
  const server = await startHttpServer(
    (_request, response) => void responses.push(response),
    { host: '127.0.0.1', port: 0 },
    { drainTimeoutMs },
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (through?: Agent) =>
    sendHttpRequest(server.address, '/', {}, through).catch((error: NodeJS.ErrnoException) => error.code)
  return { responses, server, agent, send }
}

/** A connection that has sent a request, and reads nothing until it is resumed. */
async function openReader({ port }: HttpServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  return socket
}

describe('a server that shuts down', () => {
  it('finishes open requests, accepts no new connection, and closes idle ones', async () => {
    const { responses, server, agent, send } = await startHangingServer()
    const open = send(agent)
    await until('the request has arrived', () => responses.length === 1)
    const closed = server[Symbol.asyncDispose]()
    expect(await send()).to.equal('ECONNREFUSED')
    responses[0]!.end('ok')
    expect(await open).to.include({ status: 200, text: 'ok' })
    await closed
    expect(await send(agent)).to.be.oneOf(['ECONNREFUSED', 'ECONNRESET'])
  })

  it('hands over: it accepts no new connection, and answers the next request of an idle one', async () => {
    const { responses, server, agent, send } = await startHangingServer()
    const first = send(agent)
    await until('the request has arrived', () => responses.length === 1)
    responses[0]!.end('ok')
    expect(await first).to.have.nested.property('headers.connection', 'keep-alive')
    const handedOver = server.handOver(TEST_LIMIT_MS)
    expect(await send()).to.equal('ECONNREFUSED')
    const next = send(agent)
    await until('the next request has arrived', () => responses.length === 2)
    responses[1]!.end('ok')
    expect(await next).to.include({ status: 200, text: 'ok' })
    expect(await next).to.have.nested.property('headers.connection', 'close')
    await handedOver
    await server[Symbol.asyncDispose]()
  })

  it('closes idle connections when they have been idle for long enough after it handed over', async () => {
    const { responses, server, agent, send } = await startHangingServer(TEST_LIMIT_MS)
    const first = send(agent)
    await until('the request has arrived', () => responses.length === 1)
    responses[0]!.end('ok')
    await first
    await server.handOver(0)
    await server[Symbol.asyncDispose]()
    expect(await send(agent)).to.be.oneOf(['ECONNREFUSED', 'ECONNRESET'])
  })

  it('does not wait for connections that were refused', async () => {
    const { responses, server } = await startHangingServer(TEST_LIMIT_MS)
    const { hostname, port } = new URL(server.address)
    const socket = connect(Number(port), hostname).resume()
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\njunk\r\n\r\n')
    await until('the request has arrived', () => responses.length === 1)
    responses[0]!.end('ok')
    await once(socket, 'close')
    await server[Symbol.asyncDispose]()
  })

  it('sends Connection: close with every response from then on', async () => {
    const { responses, server } = await startHangingServer()
    const { hostname, port } = new URL(server.address)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const socketClosed = once(socket, 'close')
    const request = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n'
    socket.write(request + request)
    await until('the first request has arrived', () => responses.length === 1)
    const closed = server[Symbol.asyncDispose]()
    responses[0]!.end('one')
    await until('the second request is handled', () => responses.length === 2)
    responses[1]!.end('two')
    await Promise.all([socketClosed, closed])
    const [, first, second] = text.split('HTTP/1.1 200 OK')
    expect(first)
      .to.include('keep-alive')
      .and.match(/one\s*$/)
    expect(second)
      .to.include('Connection: close')
      .and.match(/two\s*$/)
  })

  it('lets clients read responses that have ended, and closes idle connections in the meantime', async () => {
    const { responses, server, agent, send } = await startHangingServer(TEST_LIMIT_MS)
    const reader = await openReader(server)
    await until('the first request has arrived', () => responses.length === 1)
    const body = Buffer.alloc(16 * 1_024 * 1_024)
    responses[0]!.writeHead(200, { 'Content-Length': body.length }).end(body)
    const idle = send(agent)
    await until('the second request has arrived', () => responses.length === 2)
    responses[1]!.end()
    await idle
    const [kept] = Object.values(agent.freeSockets).flat()
    const closed = server[Symbol.asyncDispose]()
    await once(kept!, 'close')
    let bytes = 0
    reader.on('data', (chunk) => {
      bytes += chunk.length
    })
    await Promise.all([once(reader.resume(), 'close'), closed])
    expect(bytes).to.be.above(body.length)
  })

  it('closes requests that are still open after the drain timeout', async () => {
    const { responses, server, send } = await startHangingServer(50)
    const open = send()
    await until('the request has arrived', () => responses.length === 1)
    await server[Symbol.asyncDispose]()
    expect(await open).to.equal('ECONNRESET')
  })
})

describe('more connections than maxConnections', () => {
  const logged: unknown[] = []
  const logger = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) }
  const responses: ServerResponse[] = []
  let server: HttpServer
  const open: Socket[] = []

  before(async () => {
    const at = { host: '127.0.0.1', port: 0, logger }
    const handler: RequestListener = (request, response) =>
      request.url === '/busy' ? void responses.push(response) : response.end('ok')
    server = await startHttpServer(handler, at, { maxConnections: 3, drainTimeoutMs: 100 })
  })
  after(async () => {
    for (const socket of open) socket.destroy()
    await server[Symbol.asyncDispose]()
  })

  async function openSocket(path?: string): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    open.push(socket)
    await once(socket, 'connect')
    if (path) socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`)
    return socket
  }
  const isClosed = (socket: Socket) => socket.closed || socket.readableEnded

  it('take the place of idle ones', async () => {
    const idle = await openSocket()
    const busy = await openSocket('/busy')
    await openSocket('/busy')
    await until('two requests have arrived', () => responses.length === 2)
    const [reply] = await once(await openSocket('/'), 'data')
    expect(String(reply)).to.match(/^HTTP\/1\.1 200 /)
    await until('the idle one is closed', () => isClosed(idle))
    expect(isClosed(busy)).to.equal(false)
    expect(logged).to.deep.equal([])
  })

  it('are closed while all others are busy, which is logged once, and the others continue', async () => {
    const first = await openSocket('/busy')
    await until('a third request has arrived', () => responses.length === 3)
    const extra = [await openSocket(), await openSocket()]
    await until('they are closed', () => extra.every(isClosed))
    expect(logged).to.deep.equal([{ open: 3, message: 'connections cannot be accepted' }])
    responses[2]!.end('done')
    expect(String((await once(first, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /)
    expect((await sendHttpRequest(server.address, '/')).status).to.equal(200)
  })
})

describe('an address that the server cannot listen on', () => {
  for (const [host, problem, hostSetting] of [
    ['192.0.2.1', 'This machine has no address 192.0.2.1', undefined],
    ['not an address', 'not an address cannot be resolved', undefined],
    ['x'.repeat(300), `${'x'.repeat(300)} cannot be resolved`, 'metrics.host'],
  ] as const)
    it(`is reported, with the setting to change: ${host.slice(0, 20)}`, async () => {
      const at = { host, port: 0, ...(hostSetting && { hostSetting }) }
      const failure = await startHttpServer(() => {}, at).catch((error: Error) => error)
      const setting = hostSetting ?? 'FORECOURT_HOST or listen.host'
      expect((failure as Error).message).to.equal(`${problem}. Set ${setting} to an address of this machine.`)
    })
})
