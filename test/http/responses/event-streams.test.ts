import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import pino from 'pino'
import type { RequestState } from '../../../src/http/context.ts'
import {
  createEventStreams,
  type EventStreamLimits,
  type EventStreams,
} from '../../../src/http/responses/event-streams.ts'
import { handleErrors } from '../../../src/http/responses/handle-errors.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import { until } from '../../support/until.ts'

describe('event streams', () => {
  let server: Server | undefined
  let streams: EventStreams
  let address: string

  async function start(limits: Partial<EventStreamLimits> = {}): Promise<void> {
    streams = createEventStreams(limits)
    const app = new Koa<RequestState>()
    app.silent = true
    app.use(handleErrors(pino({ enabled: false })))
    app.use((ctx) => {
      ctx.state.clientAddress = ctx.get('x-test-client') || '127.0.0.1'
      streams.open(ctx)
    })
    server = createServer(app.callback())
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  afterEach(() => {
    streams[Symbol.dispose]()
    server?.closeAllConnections()
    server?.close()
  })

  it('send each event to every client that is connected, and nothing later', async () => {
    await start()
    const [first, second] = [await openEventStream(address, '/'), await openEventStream(address, '/')]
    for (const stream of [first, second]) {
      expect(stream.status).to.equal(200)
      expect(stream.headers).to.include({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      expect(await stream.next()).to.equal(':')
    }
    streams.send({ text: 'two\n\nlines' })
    for (const stream of [first, second]) expect(await stream.next()).to.equal('data: {"text":"two\\n\\nlines"}')
    const late = await openEventStream(address, '/')
    streams.send({ number: 2 })
    expect([await late.next(), await late.next()]).to.deep.equal([':', 'data: {"number":2}'])
  })

  it('send a comment when there is no event for a while', async () => {
    await start({ heartbeatMs: 1 })
    const stream = await openEventStream(address, '/')
    expect([await stream.next(), await stream.next(), await stream.next()]).to.deep.equal([':', ':', ':'])
  })

  it('are refused above their limit, until a client leaves', async () => {
    await start({ maxStreams: 2 })
    const [first] = [await openEventStream(address, '/'), await openEventStream(address, '/')]
    const refused = await sendHttpRequest(address, '/')
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).to.deep.equal([503, 'overloaded', '10'])
    first.close()
    await until('its place is free', () => streams.size === 1)
    const next = await openEventStream(address, '/')
    expect([next.status, streams.size]).to.deep.equal([200, 2])
  })

  it('end with the oldest of a client that opens more than its limit, and keep those of other clients', async () => {
    await start({ maxStreamsPerClient: 2 })
    const open = async (client: string) => {
      const stream = await openEventStream(address, '/', { 'x-test-client': client })
      expect([stream.status, await stream.next()]).to.deep.equal([200, ':'])
      return stream
    }
    // One client has a whole /64 network of IPv6.
    const other = await open('2001:db8:0:1::1')
    const oldest = await open('2001:db8::1')
    const kept = [other, await open('2001:db8::2'), await open('2001:db8::3')]
    const reason = ': This client has opened a newer stream. At most 2 can be open.'
    expect([await oldest.next(), await oldest.next(), streams.size]).to.deep.equal([reason, null, 3])
    streams.send({ number: 4 })
    for (const stream of kept) expect(await stream.next()).to.equal('data: {"number":4}')
  })

  it('make room for a client above its limit when all places are taken', async () => {
    await start({ maxStreams: 1, maxStreamsPerClient: 1 })
    const first = await openEventStream(address, '/')
    const second = await openEventStream(address, '/')
    expect([await first.next(), second.status, streams.size]).to.deep.equal([':', 200, 1])
    const refused = await sendHttpRequest(address, '/', { headers: { 'x-test-client': '192.0.2.1' } })
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'overloaded'])
  })

  it('end for a client that does not read', async () => {
    await start()
    const response = await new Promise<IncomingMessage>((resolve) => request(address, resolve).end())
    response.pause()
    const filler = 'x'.repeat(65_536)
    await until('it has no stream any more', () => {
      streams.send({ filler })
      return streams.size === 0
    })
    response.destroy()
  })

  it('are no response to HEAD', async () => {
    await start()
    const { status, headers } = await sendHttpRequest(address, '/', { method: 'HEAD' })
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/event-stream'])
    await until('nothing is open', () => streams.size === 0)
  })

  it('end when they are disposed, and do not begin again', async () => {
    await start()
    const stream = await openEventStream(address, '/')
    expect(await stream.next()).to.equal(':')
    streams[Symbol.dispose]()
    expect(await stream.next()).to.equal(null)
    expect((await sendHttpRequest(address, '/')).status).to.equal(503)
    streams.send({ number: 3 })
    expect(streams.size).to.equal(0)
  })
})
