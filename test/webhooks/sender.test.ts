import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import type { AttemptResult } from '../../src/webhooks/delivery-attempt-types.ts'
import { createWebhookSender, type WebhookSender } from '../../src/webhooks/sender.ts'
import { computeServiceSignature } from '../../src/webhooks/signature-headers.ts'
import { startSocketServer } from '../support/socket-server.ts'
import { until } from '../support/until.ts'
import { certificates } from './tls-certificates.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'
import { createWebhookRequest, PREVIOUS_SECRET, SECRET } from './webhook-request-fixture.ts'

const NOW = Date.parse('2026-11-21T12:00:00.500Z')

describe('the webhook sender', () => {
  let stack: AsyncDisposableStack
  let sender: WebhookSender

  beforeEach(() => {
    stack = new AsyncDisposableStack()
    sender = senderOf()
  })
  afterEach(() => stack.disposeAsync())

  const senderOf = (ca?: string) => {
    const rules = { ports: [443], allow: ['127.0.0.1', 'localhost'] }
    return stack.use(createWebhookSender({ rules, now: () => NOW, version: '1.2.3', ...(ca && { ca }) }))
  }
  const receiver = async (answer: RequestListener): Promise<WebhookReceiver> =>
    stack.use(await startWebhookReceiver(answer))
  const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
    receiver((_req, res) => res.writeHead(status, headers).end(body))
  const outcome = ({ responseStatus, error }: AttemptResult) => ({ responseStatus, error })
  const failed = (error: string) => ({ responseStatus: null, error })

  it('posts the exact bytes with all documented headers', async () => {
    const { url, received } = await answering(200, {}, 'thanks')
    const request = createWebhookRequest(`${url}/hook?x=1`)
    const attempted = await sender.send(request)
    expect(attempted.durationMs).to.be.at.least(0)
    expect({ ...attempted, durationMs: 0 }).to.deep.equal({
      at: '2026-11-21T12:00:00.500Z',
      durationMs: 0,
      responseStatus: 200,
      error: null,
      excerpt: 'thanks',
      retryAfterMs: null,
    })
    const [{ path, headers, rawHeaders, body }] = received as [WebhookReceiver['received'][number]]
    expect(path).to.equal('/hook?x=1')
    expect(body.equals(request.body)).to.equal(true)
    expect(headers).to.include({
      'content-type': 'application/json',
      'content-length': String(request.body.length),
      'user-agent': 'Forecourt/1.2.3',
      'x-service-event': 'order.confirmed',
      'x-service-delivery': request.deliveryId,
      'x-service-attempt': '3',
      'x-service-mode': 'sandbox',
      'x-service-signature': computeServiceSignature(SECRET, request.body),
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(NOW / 1_000)),
    })
    expect(rawHeaders).to.include('X-Service-Signature')
    expect(headers).to.not.have.property('x-service-signature-previous')
    expect(() => verified(SECRET, headers, body)).to.not.throw()
  })

  it('signs with both secrets during a rotation', async () => {
    const { url, received } = await answering(204)
    await sender.send(createWebhookRequest(url, { secrets: [SECRET, PREVIOUS_SECRET] }))
    const [{ headers, body }] = received as [WebhookReceiver['received'][number]]
    expect(headers['x-service-signature']).to.equal(computeServiceSignature(SECRET, body))
    expect(headers['x-service-signature-previous']).to.equal(computeServiceSignature(PREVIOUS_SECRET, body))
    expect(() => verified(SECRET, headers, body)).to.not.throw()
    expect(() => verified(PREVIOUS_SECRET, headers, body)).to.not.throw()
    expect(() => verified(`whsec_${Buffer.alloc(32, 9).toString('base64')}`, headers, body)).to.throw()
  })

  function verified(secret: string, headers: object, body: Buffer) {
    const currentHeaders = {
      ...(headers as Record<string, string>),
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    }
    // The package has no clock parameter, so the test signs for the current time instead of the sent one.
    const signed = (headers as Record<string, string>)['webhook-timestamp']!
    const RealDate = Date.now
    Date.now = () => Number(signed) * 1_000
    try {
      return new Webhook(secret).verify(body, { ...currentHeaders, 'webhook-timestamp': signed })
    } finally {
      Date.now = RealDate
    }
  }

  for (const status of [200, 202, 299, 301, 307, 400, 404, 410, 500, 503]) {
    it(`reports a ${status}`, async () => {
      const { url } = await answering(status, { location: 'http://127.0.0.1:1/' }, 'x')
      expect(outcome(await sender.send(createWebhookRequest(url)))).to.deep.equal({
        responseStatus: status,
        error: null,
      })
    })
  }

  it('does not follow a redirect', async () => {
    const inside = await answering(200)
    const { url } = await answering(302, { location: inside.url })
    expect(outcome(await sender.send(createWebhookRequest(url)))).to.deep.equal({ responseStatus: 302, error: null })
    expect(inside.connections()).to.equal(0)
  })

  for (const [status, header, ms] of [
    [429, '120', 120_000],
    [503, 'Sat, 21 Nov 2026 12:01:00 GMT', 59_500],
    [503, '99999999999999999999999', 3_600_000],
    [503, 'Sat, 21 Nov 2099 12:01:00 GMT', 3_600_000],
    [429, 'soon', null],
    [429, '-5', null],
    [429, '0', null],
    [503, 'Sat, 21 Nov 2020 12:01:00 GMT', null],
    [500, '120', null],
    [200, '120', null],
  ] as const) {
    it(`reads Retry-After: ${header} with ${status} as ${ms} ms`, async () => {
      const { url } = await answering(status, { 'retry-after': header })
      expect(await sender.send(createWebhookRequest(url))).to.include({ responseStatus: status, retryAfterMs: ms })
    })
  }

  it('times out on an endpoint that never responds', async () => {
    const { url } = await receiver(() => {})
    expect(outcome(await sender.send(createWebhookRequest(url), { totalMs: 50 }))).to.deep.equal(failed('timeout'))
  })

  it('accepts the status of a response whose body hangs, and closes the connection', async () => {
    let closed = false
    const { url } = await receiver((req, res) => {
      req.socket.once('close', () => (closed = true))
      res.writeHead(200).write('begun')
    })
    const attempted = await sender.send(createWebhookRequest(url), { totalMs: 60_000 })
    expect(attempted).to.include({ responseStatus: 200, error: null, excerpt: 'begun' })
    await until('the connection is closed', () => closed)
  })

  it('accepts the status of a response whose body does not end, and stops reading', async () => {
    let closed = false
    const { url } = await receiver((req, res) => {
      req.socket.once('close', () => (closed = true))
      res.writeHead(500)
      const pour = () => {
        while (!closed && res.write('x'.repeat(16_384)));
      }
      res.on('drain', pour)
      pour()
    })
    const { responseStatus, excerpt } = await sender.send(createWebhookRequest(url))
    expect(responseStatus).to.equal(500)
    expect(excerpt).to.equal('x'.repeat(1_024))
    await until('the connection is closed', () => closed)
  })

  it('times out on a response whose headers arrive too slowly', async () => {
    await using trickle = await startSocketServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 10)
      socket.once('close', () => clearInterval(timer))
    })
    expect((await sender.send(createWebhookRequest(trickle.url), { totalMs: 60 })).responseStatus).to.equal(null)
  })

  it('keeps the connection after a small response, and closes it after a long one', async () => {
    const small = await answering(200, {}, 'x'.repeat(10_000))
    const long = await answering(200, {}, 'x'.repeat(1_000_000))
    for (let i = 0; i < 10; i++) await sender.send(createWebhookRequest(small.url))
    for (let i = 0; i < 10; i++) await sender.send(createWebhookRequest(long.url))
    // A connection that was idle for long, as on a suspended machine, is not reused.
    expect(small.connections()).to.be.below(6)
    expect(long.connections()).to.equal(10)
  })

  it('closes idle connections', async () => {
    let closed = 0
    const { url } = await receiver((req, res) => {
      req.socket.once('close', () => closed++)
      res.writeHead(200, { 'keep-alive': 'timeout=600' }).end()
    })
    await sender.send(createWebhookRequest(url))
    await until('the idle connection is closed', () => closed === 1)
    expect(outcome(await sender.send(createWebhookRequest(url)))).to.deep.equal({ responseStatus: 200, error: null })
  })

  it('keeps a printable excerpt of the response', async () => {
    const { url } = await receiver((_req, res) => res.end(Buffer.from('a\0b\x1b[31mc\u202e\r\nd\xff\xfee', 'latin1')))
    expect((await sender.send(createWebhookRequest(url))).excerpt).to.match(/^ab\[31mc. d\ufffd\ufffde$/u)
    const long = await receiver((_req, res) => res.end(Buffer.alloc(5_000, 0xff)))
    const { excerpt } = await sender.send(createWebhookRequest(long.url))
    expect(Buffer.byteLength(excerpt!)).to.be.at.most(1_024).and.above(1_000)
  })

  it('distinguishes a reset, a refused connection and a response that is not HTTP', async () => {
    await using reset = await startSocketServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    await using ended = await startSocketServer((socket) => socket.once('data', () => socket.end()))
    await using garbage = await startSocketServer((socket) =>
      socket.once('data', () => socket.end('220 mail ready\r\n')),
    )
    const gone = await startSocketServer(() => {})
    await gone[Symbol.asyncDispose]()
    const errors = [reset, ended, garbage, gone].map(async ({ url }) =>
      outcome(await sender.send(createWebhookRequest(url))),
    )
    expect(await Promise.all(errors)).to.deep.equal(['reset', 'reset', 'invalid_response', 'refused'].map(failed))
  })

  it('rejects oversized headers', async () => {
    await using endless = await startSocketServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write(`x-more: ${'y'.repeat(1_000)}\r\n`));
      }
      socket.on('drain', pour)
      pour()
    })
    expect(outcome(await sender.send(createWebhookRequest(endless.url)))).to.deep.equal(failed('invalid_response'))
  })

  it('accepts only valid TLS certificates of known authorities', async () => {
    const { localhost, elsewhere } = certificates
    const good = stack.use(await startWebhookReceiver((_req, res) => res.end(), localhost))
    const wrong = stack.use(await startWebhookReceiver((_req, res) => res.end(), elsewhere))
    const trusting = senderOf(localhost.cert + elsewhere.cert)
    expect(outcome(await trusting.send(createWebhookRequest(good.url)))).to.deep.equal({
      responseStatus: 200,
      error: null,
    })
    expect(outcome(await trusting.send(createWebhookRequest(wrong.url)))).to.deep.equal(failed('tls'))
    expect(outcome(await sender.send(createWebhookRequest(good.url)))).to.deep.equal(failed('tls'))
    expect([good.received.length, wrong.received.length]).to.deep.equal([1, 0])
  })

  it('shuts down while endpoints hang', async () => {
    const { url, received } = await receiver(() => {})
    const own = senderOf()
    const sending = own.send(createWebhookRequest(url))
    await until('it has arrived', () => received.length === 1)
    await own[Symbol.asyncDispose]()
    expect((await sending).responseStatus).to.equal(null)
  })
})
