import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { type ClientAddresses, createClientAddresses } from '../../../src/http/access/client-addresses.ts'

/** Connects from an address of this machine, and returns the server's end. */
async function acceptFrom(localAddress: string, stack: AsyncDisposableStack): Promise<{ near: Socket; far: Socket }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => void server.close())
  const far = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
  far.on('error', () => {})
  stack.defer(() => void far.destroy())
  const [near] = (await once(server, 'connection')) as [Socket]
  near.on('error', () => {})
  return { near, far }
}

const reset = (near: Socket, far: Socket) =>
  new Promise((resolve) => {
    near.once('close', resolve).resume()
    far.resetAndDestroy()
  })

const requestOn = (socket: Socket, headers: Record<string, string> = {}) =>
  ({ socket, headers }) as unknown as IncomingMessage

describe('client addresses', () => {
  let stack: AsyncDisposableStack
  beforeEach(() => {
    stack = new AsyncDisposableStack()
  })
  afterEach(() => stack.disposeAsync())

  it('are kept after the connection is reset', async () => {
    const clients = createClientAddresses({ trustedProxies: undefined })
    const { near, far } = await acceptFrom('127.0.0.5', stack)
    clients.remember(near)
    await reset(near, far)
    expect(clients.of(requestOn(near))).to.equal('127.0.0.5')
  })

  it('are unknown when the connection was gone before', async () => {
    const clients = createClientAddresses({ trustedProxies: undefined })
    const { near, far } = await acceptFrom('127.0.0.5', stack)
    await reset(near, far)
    clients.remember(near)
    expect(clients.of(requestOn(near))).to.equal('unknown')
  })

  it('come from the headers of trusted proxies only', async () => {
    const { near } = await acceptFrom('127.0.0.5', stack)
    const of = (trustedProxies: string[] | undefined) =>
      createClientAddresses({ trustedProxies }).of(requestOn(near, { 'x-forwarded-for': '192.0.2.1' }))
    expect([of(['127.0.0.5']), of(['loopback'])]).to.deep.equal(['192.0.2.1', '192.0.2.1'])
    expect([of(['127.0.0.6']), of([]), of(undefined)]).to.deep.equal(['127.0.0.5', '127.0.0.5', '127.0.0.5'])
    expect(createClientAddresses({ trustedProxies: ['loopback'] }).of(requestOn(near))).to.equal('127.0.0.5')
  })

  it('report a proxy while none is configured', async () => {
    const { near } = await acceptFrom('127.0.0.5', stack)
    const reported: string[][] = []
    const createFor = (trustedProxies: string[] | undefined): ClientAddresses =>
      createClientAddresses({ trustedProxies, onUntrustedProxy: (...report) => reported.push(report) })
    for (const headers of [{ 'x-forwarded-for': 'x' }, { forwarded: 'for=x' }, {}]) {
      createFor(undefined).of(requestOn(near, headers as never))
      createFor([]).of(requestOn(near, headers as never))
      createFor(['10.0.0.1']).of(requestOn(near, headers as never))
    }
    expect(reported).to.deep.equal([
      ['X-Forwarded-For', '127.0.0.5'],
      ['Forwarded', '127.0.0.5'],
    ])
  })

  it('are secure where a trusted proxy says so', async () => {
    const { near } = await acceptFrom('127.0.0.5', stack)
    const isSecure = (protocol: string, trustedProxies: string[]) =>
      createClientAddresses({ trustedProxies }).isSecure(requestOn(near, { 'x-forwarded-proto': protocol }))
    expect([isSecure('https', ['loopback']), isSecure('https, http', ['loopback'])]).to.deep.equal([true, true])
    expect([isSecure('http', ['loopback']), isSecure('httpsx', ['loopback']), isSecure('https', [])]).to.deep.equal([
      false,
      false,
      false,
    ])
  })
})
