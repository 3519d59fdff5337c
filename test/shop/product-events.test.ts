import { expect } from 'chai'
import { subscribeDemoShop } from '../../src/cli/demo/demo-shop-subscription.ts'
import type { EventKind } from '../../src/contract/events/event-types.ts'
import { createEventStreams, type EventStreams } from '../../src/http/responses/event-streams.ts'
import type { ShopSettings } from '../../src/shop/server/shop-page.ts'
import { registerShop } from '../../src/shop/server/shop-routes.ts'
import { transact } from '../../src/storage/transact.ts'
import { appendEvent } from '../../src/storage/webhooks/outbox.ts'
import { createSignatureHeaders } from '../../src/webhooks/signature-headers.ts'
import { eventDataOf } from '../routes/webhooks/event-data.ts'
import { type Api, startApi } from '../support/api.ts'
import { openEventStream } from '../support/event-stream.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'

describe('the events of the demo’s shop', () => {
  let api: Api
  let streams: EventStreams
  let secretKey: string
  let webhookSecret: string

  before(async () => {
    const settings = Promise.withResolvers<ShopSettings>()
    streams = createEventStreams()
    api = await startApi({ registerRoutes: (router) => registerShop(router, settings.promise, streams) })
    secretKey = await api.key({ kind: 'secret' })
    webhookSecret = await subscribeDemoShop(api.address, secretKey)
    settings.resolve({
      name: 'Parts',
      address: api.address,
      publishableKey: await api.key(),
      secretKey,
      webhookSecret,
      pictureOrigin: 'http://pictures.example',
      operationsAddress: null,
    })
  })
  after(async () => {
    streams[Symbol.dispose]()
    await api[Symbol.asyncDispose]()
  })

  const open = (headers = {}) => openEventStream(api.address, '/shop/events', headers)

  async function append(type: EventKind, id: string): Promise<void> {
    const resource = { type: type.startsWith('stock') ? ('stock' as const) : ('product' as const), id }
    const event = { merchant: 'acme', mode: 'sandbox' as const, type, resource, data: eventDataOf(type, id) }
    await transact(api.db, (transaction) => appendEvent(transaction, { ...event, at: new Date().toISOString() }))
  }

  /** Posts an event as Forecourt does. */
  function post(event: object, { secret = webhookSecret, at = Date.now() } = {}) {
    const body = Buffer.from(JSON.stringify(event))
    const signed = createSignatureHeaders({ eventId: 'evt_1', body, secrets: [secret] }, Math.floor(at / 1_000))
    const headers = { 'content-type': 'application/json', ...signed }
    return sendHttpRequest(api.address, '/shop/hooks', { method: 'POST', body, headers })
  }

  it('tell every open page which product has changed, and not how', async () => {
    const pages = [await open(), await open()]
    for (const page of pages) {
      expect([page.status, page.headers['content-type']]).to.deep.equal([200, 'text/event-stream'])
      expect(await page.next()).to.equal(':')
    }
    for (const [type, sku] of [
      ['stock.changed', 'BP-1001'],
      ['product.updated', 'OL-1001'],
    ] as const) {
      await append(type, sku)
      for (const page of pages) expect(await page.next()).to.equal(`data: {"type":"${type}","sku":"${sku}"}`)
    }
    for (const page of pages) page.close()
  })

  it('pass on nothing that Forecourt has not signed, and nothing that is about no product', async () => {
    const page = await open()
    expect(await page.next()).to.equal(':')
    const changed = (sku: string) => ({ type: 'stock.changed', data: { sku, band: 'OUT' } })
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    for (const [name, reply] of [
      ['another secret', await post(changed('A-1'), { secret: other })],
      ['an old delivery', await post(changed('A-2'), { at: Date.now() - 600_000 })],
      ['no signature', await sendHttpRequest(api.address, '/shop/hooks', { body: changed('A-3') })],
      ['no body', await sendHttpRequest(api.address, '/shop/hooks', { method: 'POST' })],
    ] as const)
      expect([reply.status, reply.body.code], name).to.deep.equal([401, 'invalid_signature'])
    expect((await post({ type: 'webhook.ping', data: { subscription_id: 'sub_1' } })).status).to.equal(204)
    expect((await post(changed('A-4'))).status).to.equal(204)
    expect(await page.next()).to.equal('data: {"type":"stock.changed","sku":"A-4"}')
    page.close()
  })

  it('stay with the newest ten pages of a client', async () => {
    const pages = []
    for (let count = 0; count < 11; count += 1) pages.push(await open())
    const [oldest, ...others] = pages
    const reason = ': This client has opened a newer stream. At most 10 can be open.'
    expect([await oldest!.next(), await oldest!.next(), await oldest!.next()]).to.deep.equal([':', reason, null])
    expect((await post({ type: 'stock.changed', data: { sku: 'A-5', band: 'OUT' } })).status).to.equal(204)
    for (const page of others) {
      expect([await page.next(), await page.next()]).to.deep.equal([':', 'data: {"type":"stock.changed","sku":"A-5"}'])
      page.close()
    }
  })

  it('cannot be read by the pages of other sites', async () => {
    const page = await open({ origin: 'https://other.example' })
    expect(page.status).to.equal(200)
    expect(page.headers).to.not.have.property('access-control-allow-origin')
    page.close()
  })

  it('come over one subscription, also after a start on another port', async () => {
    const read = async () => (await api.request('/v1/webhooks', { key: secretKey })).body as Record<string, unknown>[]
    const [before] = await read()
    expect(before).to.deep.include({
      endpoint_url: `${api.address}/shop/hooks`,
      event_types: ['stock.changed', 'product.updated'],
      description: 'The shop of the demo',
    })
    const moved = api.address.replace('127.0.0.1', 'localhost')
    const secret = await subscribeDemoShop(moved, secretKey)
    const after = await read()
    expect(after).to.have.lengthOf(1)
    expect(after[0]).to.deep.include({
      subscription_id: before!.subscription_id,
      endpoint_url: `${moved}/shop/hooks`,
      secret_hint: secret.slice(-4),
      previous_secret_expires_at: null,
    })
    expect(secret).to.not.equal(webhookSecret)
  })

  it('are missing when there can be no subscription, and the shop says so', async () => {
    const printed: string[] = []
    const { write } = process.stderr
    process.stderr.write = (text: string | Uint8Array) => printed.push(String(text)) > 0
    const secret = await subscribeDemoShop(api.address, 'svc_test_sec_none').finally(() => {
      process.stderr.write = write
    })
    expect(secret).to.equal('')
    expect(printed).to.deep.equal(['The shop shows changes only after a reload: GET /v1/webhooks returned 401\n'])
  })

  it('end before the server, which waits for open responses', async () => {
    const page = await open()
    expect(await page.next()).to.equal(':')
    streams[Symbol.dispose]()
    expect(await page.next()).to.equal(null)
    const refused = await sendHttpRequest(api.address, '/shop/events')
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'overloaded'])
  })

  it('are no slow requests, however long a page is open', async () => {
    const ended = Promise.withResolvers<void>()
    const settings = Promise.withResolvers<ShopSettings>()
    using ownStreams = createEventStreams()
    await using own = await startApi({
      registerRoutes(router) {
        router.use((ctx, next) => {
          ctx.res.once('close', ended.resolve)
          return next()
        })
        registerShop(router, settings.promise, ownStreams)
      },
    })
    const startedAt = performance.now()
    const page = await openEventStream(own.address, '/shop/events')
    expect(await page.next()).to.equal(':')
    const openedAfterMs = performance.now() - startedAt
    // It is open for much longer than it took to open.
    while (performance.now() - startedAt < 2 * openedAfterMs + 50) await (await fetch(`${own.address}/livez`)).text()
    page.close()
    await ended.promise
    const lines = (await own.stopAndReadLog()).split('\n').filter((line) => line.includes('/shop/events'))
    const [{ status, ms, route }] = lines.map((line) => JSON.parse(line))
    expect([lines.length, status, route]).to.deep.equal([1, 200, 'shop'])
    expect(Math.floor(ms)).to.be.at.most(openedAfterMs)
  })
})
