import { expect } from 'chai'
import { readConnectionCapacity } from '../../src/http/connection-limit.ts'
import { exchange } from '../support/http-exchange.ts'
import { writeWithoutReading } from './attack-client.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const MIB = 1_024 * 1_024
/** As many as a server of this machine accepts. */
const IDLE = Math.min(10_000, readConnectionCapacity())
const PER_ADDRESS = 5_000

/** Several loopback addresses, as of several clients: ports are limited per address. */
const addressOf = (server: ServerProcess, index: number) =>
  server.address.replace('127.0.0.1', `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`)

describe('a server with as many idle connections as it may have', () => {
  it('responds to new connections, and closes the idle ones for them', async () => {
    await using server = await startServerProcess({ config: { listen: { host: '0.0.0.0' } } })
    const before = await server.residentBytes()
    const request = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const idle = []
    for (let index = 0; index < IDLE; index += 100) {
      const batch = Array.from({ length: 100 }, () => writeWithoutReading(addressOf(server, index), request))
      idle.push(...(await Promise.all(batch)))
    }
    const replies = await Promise.all(Array.from({ length: 50 }, () => exchange(server.address, '/livez')))
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(((await server.residentBytes()) - before) / MIB).to.be.below(300)
    for (const socket of idle) socket.destroy()
  }).timeout(300_000)
})

describe('clients that reset their connections', () => {
  it('leave nothing behind', async () => {
    await using server = await startServerProcess()
    const key = await server.issueKey()
    const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`
    const requests = [
      `GET /v1/products?limit=200 HTTP/1.1\r\n${head}\r\n`,
      `POST /v1/availability/batch HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{`,
      'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ]
    const before = await server.openFiles()
    for (let count = 0; count < 1_000; count += 50) {
      const batch = Array.from({ length: 50 }, (_, index) =>
        writeWithoutReading(server.address, requests[index % requests.length]!),
      )
      for (const socket of await Promise.all(batch)) socket.resetAndDestroy()
    }
    const reply = await fetch(`${server.address}/v1/ping`, { headers: { authorization: `Bearer ${key}` } })
    expect(reply.status).to.be.oneOf([200, 429])
    expect((await server.openFiles()) - before).to.be.below(50)
    expect(await server.log()).to.not.match(/"level":(?:50|60)/)
  })
})
