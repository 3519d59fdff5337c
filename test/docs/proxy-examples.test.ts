import { get as getPlain, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { expect } from 'chai'
import { listAuditLog } from '../../src/storage/operators/audit-log.ts'
import { addOperator } from '../../src/storage/operators/operator-accounts.ts'
import { hashPassword, PASSWORD } from '../console/test-console.ts'
import { type Api, startApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { certificates } from '../webhooks/tls-certificates.ts'
import { listProxyExamples, type ProxyPorts, startProxyExample } from './proxy-examples.ts'

const API = 'api.acme.example'
const OPERATIONS = 'ops.acme.example'
/** A client's own claims. */
const CLAIMS = {
  'x-forwarded-for': '203.0.113.9, 127.0.0.1',
  forwarded: 'for=203.0.113.9',
  'x-forwarded-proto': 'http',
}

interface Sent {
  path: string
  host?: string
  /** The client's address on this machine. */
  from?: string
  headers?: OutgoingHttpHeaders
  method?: string
  body?: string | Buffer
}

const readText = async (response: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

for (const example of listProxyExamples()) {
  describe(`the example for ${example.name}`, () => {
    let stack: AsyncDisposableStack
    let api: Api
    let ports: ProxyPorts
    let upstream: TcpProxy

    before(async () => {
      stack = new AsyncDisposableStack()
      const https = await freePort([0, 1])
      const operations = { url: `https://${OPERATIONS}:${https}` }
      // The tests' clients have other addresses of this machine.
      api = stack.use(await startApi({ trustedProxies: ['127.0.0.1'], operations }))
      upstream = stack.use(await startTcpProxy('127.0.0.1', Number(new URL(api.address).port)))
      ports = {
        https,
        http: https + 1,
        api: upstream.port,
        operations: Number(new URL(api.operationsAddress).port),
      }
      stack.use(await startProxyExample(example, ports))
    })
    after(() => stack.disposeAsync())

    const send = ({ path, host = API, from = '127.0.0.2', headers = {}, method = 'GET', body }: Sent) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const target = { host: '127.0.0.1', port: ports.https, servername: host, localAddress: from, agent: false }
        const tls = { ca: certificates.localhost.cert, checkServerIdentity: () => undefined }
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
        request({ ...target, ...tls, path, method, headers: { host: `${host}:${ports.https}`, ...length, ...headers } })
          .on('response', resolve)
          .on('error', reject)
          .end(body)
      })

    it('limits each client by its own address, whatever it claims', async () => {
      const headers = { ...CLAIMS, authorization: `Bearer ${await api.key({ rate: 100, ratePerClient: 2 })}` }
      const read = async (from: string) => {
        const response = await send({ path: '/v1/tags', from, headers })
        await readText(response)
        return response.statusCode
      }
      expect([await read('127.0.0.2'), await read('127.0.0.2'), await read('127.0.0.2')]).to.deep.equal([200, 200, 429])
      expect(await read('127.0.0.3')).to.equal(200)
    })

    it('keeps its connections to Forecourt open', async () => {
      await readText(await send({ path: '/livez' }))
      const { accepted } = upstream
      for (let n = 0; n < 20; n++) await readText(await send({ path: '/livez' }))
      expect(upstream.accepted - accepted).to.be.below(10)
    })

    it('refuses a body that Forecourt would not accept, and passes on every other', async () => {
      const headers = {
        authorization: `Bearer ${await api.key({ kind: 'secret' })}`,
        'content-type': 'application/json',
      }
      const post = async (bytes: number) => {
        const body = JSON.stringify({ skus: ['x'.repeat(bytes)] })
        const response = await send({ path: '/v1/availability/batch', method: 'POST', headers, body })
        await readText(response)
        return response.statusCode
      }
      expect(await post(100_000)).to.be.oneOf([200, 413, 422])
      // Caddy 2.6, of Debian 12, has no status of its own for it.
      expect(await post(1_500_000)).to.be.oneOf(example.name === 'caddy' ? [413, 502] : [413])
    })

    it('serves the pages: sign-in, audit by the operator’s own address, events at once', async () => {
      await addOperator(api.db, { name: 'ada', role: 'operator', passwordHash: hashPassword(PASSWORD) }, Date.now())
      const signedIn = await send({
        path: '/sign-in',
        host: OPERATIONS,
        method: 'POST',
        headers: {
          ...CLAIMS,
          origin: `https://${OPERATIONS}:${ports.https}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ name: 'ada', password: PASSWORD }).toString(),
      })
      expect(signedIn.statusCode).to.equal(303)
      const cookies = signedIn.headers['set-cookie']!
      expect(cookies.every((cookie) => cookie.endsWith('; Secure'))).to.equal(true)
      expect((await listAuditLog(api.db, { limit: 1 }))[0]).to.include({ action: 'sign-in', address: '127.0.0.2' })

      const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
      const stream = await send({ path: '/', host: OPERATIONS, headers: { cookie, accept: 'text/event-stream' } })
      expect(stream.headers['content-type']).to.match(/^text\/event-stream/)
      // The stream does not end: with a buffer in between, its first event would not arrive.
      let received = ''
      for await (const chunk of stream) {
        received += chunk
        if (received.includes('event: main')) break
      }
      stream.destroy()
      expect((await send({ path: '/metrics', host: OPERATIONS })).statusCode).to.equal(404)
    })

    if (example.name === 'nginx') {
      it('redirects from HTTP', async () => {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          getPlain({ port: ports.http, host: '127.0.0.1', path: '/docs', headers: { host: API } }, resolve).on(
            'error',
            reject,
          )
        })
        expect([response.statusCode, response.headers.location]).to.deep.equal([301, `https://${API}/docs`])
      })
    }
  })
}
