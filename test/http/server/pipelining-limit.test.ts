import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { createPipelining } from '../../../src/http/server/pipelining-limit.ts'
import { until } from '../../support/until.ts'

describe('a connection that pipelines requests', () => {
  let server: Server
  let client: Socket
  let received: string
  /** The responses that the listener has not ended yet, by path. */
  const open = new Map<string, ServerResponse>()
  const order: string[] = []

  async function start(listener: RequestListener, maxWaiting?: number) {
    server = createServer(createPipelining(maxWaiting).limit(listener)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    client = await openClient()
  }
  async function openClient() {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk
    })
    await once(socket, 'connect')
    return socket
  }
  const leaveOpen: RequestListener = (request, response) => {
    order.push(request.url!)
    open.set(request.url!, response)
  }
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${headers}\r\n`
  /** A request on another connection: everything that arrived before it has been read. */
  async function passThrough(path: string) {
    const other = (await openClient()).end(get(path))
    await until('the other request has arrived', () => order.includes(path))
    open.get(path)!.end()
    other.destroy()
  }

  beforeEach(() => {
    received = ''
    order.length = 0
    open.clear()
  })
  afterEach(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })

  it('gets its responses one after the other, in order', async () => {
    await start(leaveOpen)
    client.write(get('/1') + get('/2') + get('/3'))
    for (const path of ['/1', '/2', '/3']) {
      await until(`${path} has arrived`, () => open.has(path))
      await passThrough(`/while${path}`)
      expect(order.filter((one) => !one.startsWith('/while')).at(-1)).to.equal(path)
      open.get(path)!.end(`end of ${path}`)
    }
    await until('all responses have arrived', () => received.includes('end of /3'))
    expect([...received.matchAll(/end of (\/\d)/g)].map(([, path]) => path)).to.deep.equal(['/1', '/2', '/3'])
    client.write(get('/4'))
    await until('the connection is read again', () => open.has('/4'))
  })

  it('is not read from while requests wait', async () => {
    let accepted: Socket | undefined
    await start(leaveOpen)
    server.on('connection', (socket) => {
      accepted ??= socket
    })
    client.destroy()
    client = await openClient()
    const burst = get('/first') + get('/second', `A: ${'a'.repeat(8_000)}\r\n`).repeat(1_000)
    client.write(burst)
    await until('the first request has arrived', () => open.has('/first'))
    for (let round = 0; round < 20; round += 1) await passThrough(`/other-${round}`)
    expect(accepted!.bytesRead).to.be.below(burst.length / 8)
    expect(order.filter((path) => path === '/second')).to.deep.equal([])
  })

  it('may send a body with a request that waited', async () => {
    await start((request, response) => {
      leaveOpen(request, response)
      if (request.method === 'POST') {
        let text = ''
        request.on('data', (chunk) => {
          text += chunk
        })
        request.on('end', () => response.end(`got ${text}`))
      }
    })
    client.write(`${get('/1')}POST /2 HTTP/1.1\r\nHost: here\r\nContent-Length: 200001\r\n\r\n`)
    await until('the first request has arrived', () => open.has('/1'))
    client.write('b'.repeat(200_000))
    await passThrough('/other')
    open.get('/1')!.end()
    client.write('!')
    await until('the body has been read', () => received.includes('got b') && received.includes('b!'))
  })

  it('does nothing more after a response that closes it', async () => {
    await start(leaveOpen)
    const closed = once(client, 'close')
    client.write(get('/1') + get('/2'))
    await until('the first request has arrived', () => open.has('/1'))
    open.get('/1')!.writeHead(200, { Connection: 'close' }).end('last')
    await closed
    expect(order).to.deep.equal(['/1'])
  })

  it('is closed in favour of others when most of the waiting requests are its own', async () => {
    await start(leaveOpen, 3)
    client.write(get('/1') + get('/2') + get('/3') + get('/4'))
    await until('its first request has arrived', () => open.has('/1'))
    const greedy = once(client, 'close')
    const modest = await openClient()
    modest.write(get('/a') + get('/b'))
    await until('a request of another connection has arrived', () => open.has('/a'))
    await greedy
    open.get('/a')!.end()
    await until('the one that waited has arrived', () => open.has('/b'))
    modest.destroy()
  })

  it('is closed when too many requests wait, and others may wait then', async () => {
    await start(leaveOpen, 3)
    const closed = once(client, 'close')
    client.write(get('/1').repeat(6))
    await closed
    client = await openClient()
    client.write(get('/a') + get('/b') + get('/c') + get('/d'))
    for (const path of ['/a', '/b', '/c', '/d']) {
      await until(`${path} has arrived`, () => open.has(path))
      open.get(path)!.end()
    }
  })
})
