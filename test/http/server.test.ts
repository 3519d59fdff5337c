import { once } from 'node:events'
import { Agent, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { type HttpServer, startHttpServer } from '../../src/http/server.ts'
import { exchange } from '../support/http-exchange.ts'
import { until } from '../support/until.ts'

/** A listener whose answers wait until they are let go. */
async function holding(finishMs?: number) {
  const held: ServerResponse[] = []
  const listening = await startHttpServer(
    (_request, response) => void held.push(response),
    { host: '127.0.0.1', port: 0 },
    { finishMs },
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (of?: Agent) =>
    exchange(listening.address, '/', {}, of).catch((error: NodeJS.ErrnoException) => error.code)
  return { held, listening, agent, ask }
}

describe('a listener that is put away', () => {
  it('finishes what is under way, takes nothing new, and closes what was kept open', async () => {
    const { held, listening, agent, ask } = await holding()
    const under = ask(agent)
    await until('the request is under way', () => held.length === 1)
    const ended = listening[Symbol.asyncDispose]()
    expect(await ask()).to.equal('ECONNREFUSED')
    held[0]!.end('well')
    expect(await under).to.include({ status: 200, text: 'well' })
    await ended
    expect(await ask(agent)).to.be.oneOf(['ECONNREFUSED', 'ECONNRESET'])
  })

  it('says with each answer from then on that its connection ends', async () => {
    const { held, listening } = await holding()
    const { hostname, port } = new URL(listening.address)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const closed = once(socket, 'close')
    const line = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n'
    socket.write(line)
    await until('the first is under way', () => held.length === 1)
    const ended = listening[Symbol.asyncDispose]()
    socket.write(line)
    await until('the second is under way', () => held.length === 2)
    held[0]!.end('one')
    held[1]!.end('two')
    await Promise.all([closed, ended])
    const [, one, two] = text.split('HTTP/1.1 200 OK')
    expect(one)
      .to.include('keep-alive')
      .and.match(/one\s*$/)
    expect(two)
      .to.include('Connection: close')
      .and.match(/two\s*$/)
  })

  it('cuts what is not done when the time is over', async () => {
    const { held, listening, ask } = await holding(50)
    const under = ask()
    await until('the request is under way', () => held.length === 1)
    await listening[Symbol.asyncDispose]()
    expect(await under).to.equal('ECONNRESET')
  })
})

describe('more connections than may be open', () => {
  const told: unknown[] = []
  const logger = { error: (why: object, what: string) => void told.push({ ...why, what }) }
  let server: HttpServer
  const open: Socket[] = []

  before(async () => {
    const at = { host: '127.0.0.1', port: 0, logger }
    server = await startHttpServer((_req, res) => res.end('well'), at, { maxConnections: 3, finishMs: 100 })
  })
  after(async () => {
    for (const socket of open) socket.destroy()
    await server[Symbol.asyncDispose]()
  })

  async function opened(): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    open.push(socket)
    await once(socket, 'connect')
    return socket
  }

  it('are closed, which is told once, and those before go on', async () => {
    const [first] = [await opened(), await opened(), await opened()]
    const more = [await opened(), await opened()]
    await until('they are closed', () => more.every((socket) => socket.closed || socket.readableEnded))
    first!.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    expect(String((await once(first!, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /)
    expect(told).to.deep.equal([{ open: 3, what: 'connections cannot be taken' }])
    first!.destroy()
    await until(
      'there is room again',
      async () => (await exchange(server.address, '/').catch(() => null))?.status === 200,
    )
  })
})

describe('an address that cannot be listened at', () => {
  for (const [host, what, hostSetting] of [
    ['192.0.2.1', 'This machine has no address 192.0.2.1', undefined],
    ['not an address', 'not an address cannot be resolved', undefined],
    ['x'.repeat(300), `${'x'.repeat(300)} cannot be resolved`, 'metrics.host'],
  ] as const)
    it(`is told, with the setting that names it: ${host.slice(0, 20)}`, async () => {
      const at = { host, port: 0, ...(hostSetting && { hostSetting }) }
      const failure = await startHttpServer(() => {}, at).catch((error: Error) => error)
      const setting = hostSetting ?? 'FORECOURT_HOST, or listen.host,'
      expect((failure as Error).message).to.equal(`${what}. Set ${setting} to an address of this machine.`)
    })
})
