import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import { startApi } from '../support/api.ts'
import { until } from '../support/until.ts'

/** As many as open a circuit, if they counted as failures of the system. */
const CLIENTS = 30
const REQUEST_START = 'http.server.request.start'
const HANG = { hang: true }

/** Counts the requests that arrive at servers of this process, by port: the API and the embedded systems. */
function countRequests() {
  const counts = new Map<number, number>()
  const count = (message: unknown) => {
    const { localPort } = (message as { request: IncomingMessage }).request.socket
    counts.set(localPort!, (counts.get(localPort!) ?? 0) + 1)
  }
  subscribe(REQUEST_START, count)
  return {
    at: (address: string) => counts.get(Number(new URL(address).port)) ?? 0,
    [Symbol.dispose]: () => void unsubscribe(REQUEST_START, count),
  }
}

describe('clients that reset their connections while a system is slow', () => {
  it('are in the access log with 499 only, and leave the circuit of the system closed', async () => {
    await using api = await startApi()
    const secret = await api.key({ kind: 'secret' })
    const shopper = `X-Storefront-Shopper-Token: ${await api.shopperToken()}\r\n`
    const headers = `Host: x\r\nAuthorization: Bearer ${secret}\r\n`
    await api.fault('inventory', HANG)
    await api.fault('accounting', HANG)
    using requests = countRequests()
    const sockets = Array.from({ length: CLIENTS }, (_, n) => {
      const socket = connect(Number(new URL(api.address).port), '127.0.0.1').on('error', () => {})
      const [path, more] = n % 2 === 0 ? [`/v1/products/BP-${1000 + n}`, ''] : [`/v1/orders/SO-${n}`, shopper]
      socket.write(`GET ${path} HTTP/1.1\r\n${headers}${more}\r\n`)
      return socket
    })
    const { inventory, accounting } = api.systems
    await until('all requests have arrived', () => requests.at(api.address) === CLIENTS)
    await until(
      'the systems have been called',
      () => requests.at(inventory.address) * requests.at(accounting.address) > 0,
    )
    for (const socket of sockets) socket.resetAndDestroy()
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
    await api.clearFaults()
    const { status, body } = await api.request('/v1/products/BP-1001', { key: secret })
    expect([status, body.errors]).to.deep.equal([200, []])
    const log = await api.stopAndReadLog()
    expect(log).to.not.include('request failed')
    const left = log.split('\n').filter((line) => line.includes('"status":499'))
    expect(left.filter((line) => line.includes('"code"'))).to.deep.equal([])
    expect(left.length).to.be.above(0)
  })
})
