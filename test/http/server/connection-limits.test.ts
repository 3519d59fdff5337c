import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { type ConnectionLimit, createConnectionLimit } from '../../../src/http/server/connection-limits.ts'
import { until } from '../../support/until.ts'

const MIB = 1_024 * 1_024

describe('a connection limit', () => {
  let server: Server
  let limit: ConnectionLimit
  const accepted: Socket[] = []
  const clients: Socket[] = []

  beforeEach(async () => {
    limit = createConnectionLimit({ maxConnections: 3, maxUnreadBytes: 40 * MIB })
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.resume()
      limit.admit(socket)
      accepted.push(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    for (const socket of [...clients, ...accepted]) socket.destroy()
    clients.length = 0
    accepted.length = 0
    server.close()
  })

  async function open(): Promise<Socket> {
    const index = accepted.length
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    clients.push(client.pause())
    await until('the connection is accepted', () => accepted.length > index)
    return client
  }
  const destroyed = () => accepted.map((socket) => socket.destroyed)

  it('closes the connection that has been idle for the longest time', async () => {
    const oldest = await open()
    for (const _ of [2, 3]) await open()
    oldest.write('x')
    await until('it has arrived', () => accepted[0]!.bytesRead === 1)
    limit.sweep()
    await open()
    expect(destroyed()).to.deep.equal([false, true, false, false])
  })

  it('closes the oldest unread responses when all of them exceed the limit', async () => {
    for (const index of [0, 1]) {
      await open()
      accepted[index]!.write(Buffer.alloc(16 * MIB))
      limit.sweep()
    }
    expect(destroyed()).to.deep.equal([false, false])
    await open()
    accepted[2]!.write(Buffer.alloc(16 * MIB))
    limit.sweep()
    expect(destroyed()).to.deep.equal([true, false, false])
  })

  it('keeps connections that read their responses', async () => {
    const client = await open()
    accepted[0]!.write(Buffer.alloc(32 * MIB))
    client.resume()
    await until('it is read', () => accepted[0]!.writableLength === 0)
    for (const index of [1, 2]) {
      await open()
      accepted[index]!.write(Buffer.alloc(16 * MIB))
    }
    limit.sweep()
    expect(destroyed()).to.deep.equal([false, false, false])
  })
})
