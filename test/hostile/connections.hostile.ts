import { once } from 'node:events'
import { expect } from 'chai'
import { readConnectionCapacity } from '../../src/http/server/connection-limits.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'
import { openConnection, writeWithoutReading } from './attack-client.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const MIB = 1_024 * 1_024
/** As many as a server of this machine accepts. */
const IDLE = Math.min(10_000, readConnectionCapacity())
const PER_ADDRESS = 5_000
const RESETS = 200
/** With a response of 1.4 MB each, four times the memory for unread responses. */
const UNREAD = 100
/** Far longer than a busy machine takes, and shorter than the idle timeout. */
const HANG_MS = 60_000

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
    const replies = await Promise.all(Array.from({ length: 50 }, () => sendHttpRequest(server.address, '/livez')))
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
      'GET /docs/scalar.js HTTP/1.1\r\nHost: localhost\r\n\r\n',
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
    await until('their files are closed', async () => (await server.openFiles()) - before < 50)
    expect(await server.log()).to.not.include('request failed')
    expect(await server.log()).to.not.match(/"level":(?:50|60)/)
  })
})

describe('clients that stop in the middle of a request', () => {
  it('have each of their requests ended when they reset the connection', async () => {
    await using server = await startServerProcess()
    const key = await server.issueKey()
    const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: 100\r\n`
    for (let count = 0; count < RESETS; count += 1) {
      const socket = await openConnection(server.address)
      socket.write(`POST /v1/availability/batch HTTP/1.1\r\n${head}\r\n`)
      // The server waits for the body now.
      await once(socket, 'data')
      socket.resetAndDestroy()
    }
    const ended = async () => (await server.log()).split('\n').filter((line) => line.includes('"status":499')).length
    await until('all requests have ended', async () => (await ended()) === RESETS, HANG_MS)
    expect(await server.log()).to.not.include('request failed')
  })
})

describe('clients that read none of their large responses', () => {
  it('lose their connections beyond the memory for unread responses, and others are answered', async () => {
    // Connections that are not read are closed after twice this time, too: that must not be what the test sees.
    await using server = await startServerProcess({ config: { deadline_ms: 60_000 } })
    const before = await server.openFiles()
    const request = 'GET /docs/scalar.js HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const opening = Array.from({ length: UNREAD }, () => writeWithoutReading(server.address, request.repeat(50)))
    const attackers = await Promise.all(opening)
    // The server accepts connections in their order: it has all of them now.
    expect((await sendHttpRequest(server.address, '/livez')).status).to.equal(200)
    await until('most are closed', async () => (await server.openFiles()) - before < UNREAD / 2, HANG_MS)
    expect((await sendHttpRequest(server.address, '/livez')).status).to.equal(200)
    for (const socket of attackers) socket.destroy()
  })
})
