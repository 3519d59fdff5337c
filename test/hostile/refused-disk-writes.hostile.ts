import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const run = promisify(execFile)

/** Lets the process write no file beyond so many bytes: to SQLite and to the log this is a disk that takes nothing more. */
const limitFileSize = (pid: number, bytes: number | 'unlimited') =>
  run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

describe('a server whose disk takes nothing more', () => {
  let server: ServerProcess
  let secret: string
  let publishable: string
  let shopperToken: string

  before(async () => {
    server = await startServerProcess({
      config: { log: { file: 'forecourt.log' } },
      merchant: { registration: 'immediate' },
    })
    publishable = await server.issueKey()
    secret = await server.issueKey('--kind', 'secret', '--mode', 'sandbox')
    const shopper = { email: 'full@disk.example', password: 'correct horse', first_name: 'Full', last_name: 'Disk' }
    shopperToken = (await ask('POST', '/v1/shoppers', shopper)).body.shopper_token
  })
  after(() => server[Symbol.asyncDispose]())

  function ask(method: string, path: string, body?: object, key = secret): Promise<Reply> {
    const shopper = shopperToken && key === secret ? { 'x-storefront-shopper-token': shopperToken } : {}
    return sendHttpRequest(server.address, path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...shopper },
      body,
    })
  }
  const read = async (path: string) => (await sendHttpRequest(server.address, path)).body
  const line = { sku: knownSkus.inStock, quantity: 1 }

  it('serves the catalog, refuses the rest with store_unavailable, says so, and recovers by itself', async () => {
    const { body: cart } = await ask('POST', '/v1/carts')
    const lines = `/v1/carts/${cart.cart_id}/lines`
    expect((await ask('POST', lines, line)).status).to.equal(200)
    expect((await ask('GET', '/v1/products?limit=1', undefined, publishable)).status).to.equal(200)

    await limitFileSize(server.pid, 0)
    for (let attempt = 0; attempt < 20; attempt++) {
      const { status, headers, body } = await ask('POST', lines, line)
      expect([status, body.code, headers['retry-after']]).to.deep.equal([503, 'store_unavailable', '1'])
      expect((await ask('GET', '/v1/products?limit=1', undefined, publishable)).status).to.equal(200)
      expect((await ask('GET', `/v1/products?limit=${attempt + 2}`, undefined, publishable)).status).to.equal(200)
    }
    const down = await read('/health')
    expect([down.status, down.checks.store.status]).to.deep.equal(['down', 'down'])
    expect(await read('/readyz')).to.deep.equal({ status: 'ready', store: 'down' })

    await limitFileSize(server.pid, 'unlimited')
    await until('the store is used again', async () => (await ask('POST', '/v1/carts')).status === 201)
    await until('the outage has ended', async () => (await read('/health')).status === 'ok')
    expect((await ask('GET', `/v1/carts/${cart.cart_id}`)).body.lines[0].quantity).to.equal(1)
    expect(await read('/readyz')).to.deep.equal({ status: 'ready', store: 'ok' })
  })

  it('stops while the disk takes nothing, and starts again with all that it had answered', async () => {
    const { body: cart } = await ask('POST', '/v1/carts')
    await limitFileSize(server.pid, 0)
    await until('a write is refused', async () => (await ask('POST', '/v1/carts')).status === 503)
    await server.kill('SIGTERM')
    await server.restart()
    expect((await ask('GET', `/v1/carts/${cart.cart_id}`)).status).to.equal(200)
  })
})
