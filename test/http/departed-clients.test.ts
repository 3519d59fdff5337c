import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { startApi } from '../support/api.ts'
import { until } from '../support/until.ts'

/** As many as open a circuit, if they counted as failures of the system. */
const CLIENTS = 30
const REQUEST_START = 'http.server.request.start'
const HANG = { hang: true }

/** Follows the connections of requests to servers of this process: the API and the embedded systems. */
function followRequests() {
  const sockets: Socket[] = []
  const add = (message: unknown) => void sockets.push((message as { request: IncomingMessage }).request.socket)
  subscribe(REQUEST_START, add)
  return {
    to: (address: string) => sockets.filter(({ localPort }) => localPort === Number(new URL(address).port)),
    [Symbol.dispose]: () => void unsubscribe(REQUEST_START, add),
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
    using requests = followRequests()
    const clients = Array.from({ length: CLIENTS }, (_, n) => {
      const client = connect(Number(new URL(api.address).port), '127.0.0.1').on('error', () => {})
      const [path, more] = n % 2 === 0 ? [`/v1/products/BP-${1000 + n}`, ''] : [`/v1/orders/SO-${n}`, shopper]
      client.write(`GET ${path} HTTP/1.1\r\n${headers}${more}\r\n`)
      return client
    })
    await until('all requests have arrived', () => requests.to(api.address).length === CLIENTS)
    const connections = requests.to(api.address)
    for (const { address } of [api.systems.inventory, api.systems.accounting])
      await until('the system has been called', () => requests.to(address).length > 0)
    for (const client of clients) client.resetAndDestroy()
    await until('the API knows it', () => connections.every(({ closed }) => closed))
    await api.clearFaults()
    const { status, body } = await api.request('/v1/products/BP-1001', { key: secret })
    expect([status, body.errors]).to.deep.equal([200, []])
    const log = await api.stopAndReadLog()
    expect(log).to.not.include('request failed')
    const left = log.split('\n').filter((line) => line.includes('"status":499'))
    expect(left.filter((line) => line.includes('"code"'))).to.deep.equal([])
    expect(left).to.have.lengthOf(CLIENTS)
  })
})
