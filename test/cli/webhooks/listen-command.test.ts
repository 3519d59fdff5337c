import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { forwardEvent } from '../../../src/cli/webhooks/forward-event.ts'
import { transact } from '../../../src/storage/transact.ts'
import { appendEvent } from '../../../src/storage/webhooks/outbox.ts'
import { createSignatureHeaders } from '../../../src/webhooks/signature-headers.ts'
import { type Endpoint, startEndpoint } from '../../routes/webhooks/webhook-endpoint.ts'
import { type WebhookMerchant, webhookMerchant } from '../../routes/webhooks/webhook-merchant.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type RunningCommand, startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { freePort } from '../../support/free-port.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

const hasIpv6 = () => Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))

describe('forecourt webhooks', function () {
  // Several processes for one test.
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  let running: RunningCommand | undefined
  let port: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-webhooks-'))
  })
  beforeEach(async () => {
    port = String(await freePort())
  })
  afterEach(async () => {
    running?.child.kill('SIGKILL')
    await running?.ended
    running = undefined
  })
  after(() => {
    host.stop()
    return rm(cwd, { recursive: true, force: true })
  })

  async function startListening(...options: string[]): Promise<RunningCommand> {
    running = startCommand(['webhooks', 'listen', '--port', port, ...options], { cwd, env: { TZ: 'UTC' } })
    await running.waitForOutput(/Listening on \S+[\s\S]*Ctrl-C/)
    return running
  }

  interface Sending {
    id?: string
    secrets?: [string] | [string, string]
    at?: number
    change?: Record<string, string>
  }
  /** A delivery as it would be sent. */
  async function deliver({ id = 'evt_1', secrets = [SECRET], at = Date.now(), change = {} }: Sending = {}) {
    const resource = { type: 'order', id: 'SO-1' }
    const event = {
      id,
      type: 'order.shipped',
      resource,
      sequence: 3,
      data: { text: 'a\u009b31mb', long: 'x'.repeat(999) },
    }
    const body = Buffer.from(JSON.stringify(event))
    const signed = createSignatureHeaders({ eventId: id, body, secrets }, Math.floor(at / 1_000))
    const headers = { ...signed, 'X-Service-Event': event.type, 'X-Service-Attempt': '2', ...change }
    return (await sendHttpRequest(`http://127.0.0.1:${port}`, '/', { headers, body })).status
  }

  describe('listen --secret', () => {
    it('verifies and prints deliveries, and drops duplicates', async () => {
      const { waitForOutput } = await startListening('--secret', SECRET)
      expect(await deliver()).to.equal(204)
      const [, data] = await waitForOutput(
        /\d\d:\d\d:\d\d {2}order\.shipped {2}order SO-1 #3 {2}attempt 2 {2}VERIFIED\n +(\{.*)\n/,
      )
      expect(data).to.match(/^\{"text":"a\?31mb","long":"x+…$/)
      expect(await deliver()).to.equal(204)
      await waitForOutput(/DUPLICATE/)
      expect(await deliver({ id: 'evt_2', secrets: [`${SECRET}x`, SECRET] })).to.equal(204)
    })

    it('rejects a delivery with a wrong, missing or old signature', async () => {
      const { waitForOutput } = await startListening('--secret', SECRET)
      const wrong = `sha256=${'0'.repeat(64)}`
      expect(await deliver({ change: { 'X-Service-Signature': wrong } })).to.equal(401)
      await waitForOutput(/order\.shipped {2}REJECTED {2}X-Service-Signature does not match/)
      expect(await deliver({ change: { 'webhook-signature': 'v1,AAAA' } })).to.equal(401)
      await waitForOutput(/REJECTED {2}webhook-signature does not match/)
      expect(await deliver({ change: { 'X-Service-Signature': '' } })).to.equal(401)
      await waitForOutput(/REJECTED {2}not signed: X-Service-Signature is missing/)
      expect(await deliver({ change: { 'webhook-signature': '' } })).to.equal(401)
      await waitForOutput(/REJECTED {2}not signed: webhook-signature is missing/)
      expect(await deliver({ at: Date.now() - 400_000 })).to.equal(401)
      await waitForOutput(/REJECTED {2}webhook-timestamp/)
      expect(await deliver({ secrets: [`whsec_${'A'.repeat(43)}=`] })).to.equal(401)
      expect((await sendHttpRequest(`http://127.0.0.1:${port}`, '/')).status).to.equal(405)
      expect(await deliver()).to.equal(204)
    })

    it('responds with the status of --fail each time', async () => {
      const { waitForOutput } = await startListening('--secret', SECRET, '--fail', '503')
      expect([await deliver(), await deliver()]).to.deep.equal([503, 503])
      await waitForOutput(/VERIFIED, responded 503[\s\S]*VERIFIED, responded 503/)
    })

    it('explains what a response of 410 does', async () => {
      const { waitForOutput } = await startListening('--secret', SECRET, '--fail', '410')
      expect(await deliver()).to.equal(410)
      await waitForOutput(/410 disables the subscription.*PATCH/)
    })

    it('listens on both addresses of localhost', async () => {
      await startListening('--secret', SECRET)
      expect((await sendHttpRequest(`http://localhost:${port}`, '/')).status).to.equal(405)
      const six = await fetch(`http://[::1]:${port}`).then(
        ({ status }) => status,
        ({ cause }) => cause.code,
      )
      // A machine without IPv6 has no such address.
      expect(six).to.be.oneOf(hasIpv6() ? [405] : ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'])
    })

    it('forwards verified events to the shop, and responds with its status', async () => {
      const shop: Endpoint = await startEndpoint()
      const { waitForOutput } = await startListening('--secret', SECRET, '--forward', shop.url)
      try {
        shop.respondWith(500)
        expect(await deliver()).to.equal(500)
        await waitForOutput(/VERIFIED, responded 500, as http:\S+ did/)
        shop.respondWith(202)
        expect([await deliver(), await deliver()]).to.deep.equal([202, 204])
        expect(await deliver({ change: { 'X-Service-Signature': '' } })).to.equal(401)
        expect(shop.received).to.have.length(2)
        const { headers, body } = shop.received[1]!
        expect(headers).to.include({ 'x-service-event': 'order.shipped', 'webhook-id': 'evt_1' })
        expect(headers['x-service-signature']).to.equal(
          createSignatureHeaders({ eventId: 'evt_1', body, secrets: [SECRET] }, 0)['X-Service-Signature'],
        )
      } finally {
        await shop[Symbol.asyncDispose]()
      }
      expect(await deliver({ id: 'evt_2' })).to.equal(502)
      await waitForOutput(/VERIFIED, responded 502: http:\S+ refused the connection/)
    })
  })

  it('reports a shop that does not respond in time, or has an unknown host', async () => {
    await using shop = await startEndpoint()
    shop.respondWith(null)
    const late = await forwardEvent({ url: shop.url, headers: {}, body: Buffer.from('{}'), timeoutMs: 40 })
    expect(late).to.deep.equal({
      status: 502,
      description: `responded 502: ${shop.url} did not respond within 0.04 s`,
    })
    const nowhere = await forwardEvent({
      url: 'http://shop.invalid/',
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs: 60_000,
    })
    expect(nowhere.description).to.equal('responded 502: http://shop.invalid/ has an unknown host')
  })

  describe('listen', () => {
    let api: Api
    let key: string
    let acme: WebhookMerchant

    before(async () => {
      api = await startApi()
      acme = await webhookMerchant(api)
      key = await api.key({ kind: 'secret' })
    })
    after(() => api[Symbol.asyncDispose]())

    const subscriptions = async () => (await acme.ask('GET', '/v1/webhooks')).body
    const listen = (...options: string[]) => startListening('--api', api.address, '--key', key, ...options)

    it('subscribes, verifies deliveries, and deletes its subscription at Ctrl-C', async () => {
      const { waitForOutput, child, ended } = await listen('--events', 'order.*, stock.changed')
      const [{ subscription_id, ...subscription }] = await subscriptions()
      expect(subscription).to.deep.include({
        endpoint_url: `http://127.0.0.1:${port}/`,
        event_types: ['order.*', 'stock.changed'],
      })
      expect((await acme.ask('POST', `/v1/webhooks/${subscription_id}/ping`)).body.delivered).to.equal(true)
      await waitForOutput(/webhook\.ping {2}webhook whk_\w+ #0 {2}attempt 1 {2}VERIFIED/)
      child.kill('SIGINT')
      const { code, err, out } = await ended
      expect([code, err]).to.deep.equal([0, ''])
      expect(out).to.not.include('whsec_').and.not.include(key)
      expect(await subscriptions()).to.deep.equal([])
    })

    it('reuses the subscription of a run that was killed', async () => {
      const { child, ended } = await listen('--events', 'order.*')
      const [{ subscription_id }] = await subscriptions()
      child.kill('SIGKILL')
      await ended
      await acme.ask('POST', `/v1/webhooks/${subscription_id}/disable`)
      const again = await listen()
      await again.waitForOutput(/from an earlier run/)
      const [own, ...others] = await subscriptions()
      expect(others).to.deep.equal([])
      expect(own).to.deep.include({ subscription_id, status: 'ACTIVE', event_types: ['*'] })
      expect((await acme.ask('POST', `/v1/webhooks/${subscription_id}/ping`)).body.delivered).to.equal(true)
      again.child.kill('SIGTERM')
      expect((await again.ended).code).to.equal(0)
      expect(await subscriptions()).to.deep.equal([])
    })

    const appendOrderEvent = (id: string) =>
      transact(api.db, (transaction) => {
        const of = { merchant: 'acme', mode: 'sandbox' as const, type: 'order.shipped' as const }
        const resource = { type: 'order' as const, id }
        return appendEvent(transaction, { ...of, resource, data: { id }, at: new Date().toISOString() })
      })

    it('reports that a response of 410 disabled its subscription, and how to continue', async () => {
      const { waitForOutput, child, ended } = await listen('--fail', '410')
      const [{ subscription_id }] = await subscriptions()
      await appendOrderEvent('SO-410')
      await waitForOutput(/order SO-410 #1 {2}attempt 1 {2}VERIFIED, responded 410/)
      const [sentence] = await waitForOutput(/Subscription \S+ is DISABLED \(GONE: .*\n/)
      expect(sentence).to.include(subscription_id).and.include('listen again').and.include('PATCH')
      await acme.ask('PATCH', `/v1/webhooks/${subscription_id}`, { status: 'ACTIVE' })
      await waitForOutput(/Subscription \S+ is ACTIVE now/)
      child.kill('SIGINT')
      expect((await ended).code).to.equal(0)
      expect(await subscriptions()).to.deep.equal([])
    })

    it('reports that its subscription was disabled or deleted by a request', async () => {
      const { waitForOutput, child, ended } = await listen()
      const [{ subscription_id }] = await subscriptions()
      await acme.ask('POST', `/v1/webhooks/${subscription_id}/disable`)
      await waitForOutput(/DISABLED \(MANUAL: it was disabled/)
      await acme.ask('DELETE', `/v1/webhooks/${subscription_id}`)
      await waitForOutput(/was deleted: no more events arrive/)
      child.kill('SIGINT')
      expect((await ended).code).to.equal(0)
    })

    it('takes the port of the API and the key from the environment', async () => {
      running = startCommand(['webhooks', 'listen', '--port', port], {
        cwd,
        env: { PORT: new URL(api.address).port, FORECOURT_KEY: key },
      })
      await running.waitForOutput(/Listening/)
      running.child.kill('SIGINT')
      expect((await running.ended).code).to.equal(0)
    })

    it('reports that the demo key in the data directory belongs to another demo', async () => {
      const data = join(cwd, 'other')
      await mkdir(data)
      await writeFile(join(data, 'demo-keys.json'), JSON.stringify({ secret: 'svc_test_sec_nothing' }))
      const { code, err } = await host.run(['webhooks', 'listen', '--port', port, '--api', api.address], {
        cwd,
        env: { FORECOURT_DATA: data },
      })
      expect(code).to.equal(2)
      expect(err).to.include(join(data, 'demo-keys.json')).and.include('set FORECOURT_DATA to that directory')
    })

    it('explains in a sentence why it cannot listen', async () => {
      const failWith = async (...options: string[]) => {
        const { code, err } = await host.run(['webhooks', 'listen', '--port', port, ...options], { cwd })
        expect(err).to.not.match(/\n\s+at /)
        return `${code} ${err}`
      }
      const at = ['--api', api.address]
      const closed = `http://127.0.0.1:${await freePort()}`
      expect(await failWith(...at)).to.match(/^2 .*--key or FORECOURT_KEY.*data directory, set FORECOURT_DATA/)
      expect(await failWith('--key', key, '--api', closed)).to.match(/^2 No API responds at .* node \S+ demo/)
      expect(await failWith(...at, '--key', 'svc_test_sec_nothing')).to.match(/^2 .*refuses the key/)
      expect(await failWith(...at, '--key', await api.key())).to.match(/^2 .*secret key/)
      expect(await failWith(...at, '--key', key, '--events', 'orders')).to.match(/^2 .*Unknown event type/)
      expect(await failWith(...at, '--key', key, '--fail', '200')).to.match(/^2 --fail takes/)
      expect(await failWith(...at, '--key', key, '--forward', 'shop')).to.match(/^2 --forward takes/)
      expect(await failWith('--secret', 'mine')).to.match(/^2 --secret takes/)
      expect(await failWith('--key', key, '--api', 'nowhere')).to.match(/^2 --api takes/)
      const taken = new URL(api.address).port
      const { code, err } = await host.run(['webhooks', 'listen', '--port', taken, ...at, '--key', key], { cwd })
      expect([code, /--port/.test(err)]).to.deep.equal([1, true])
      expect(await subscriptions()).to.deep.equal([])
    })

    it('names the setting that allows its URL', async () => {
      const webhooks = { keys: [Buffer.alloc(32, 7)], ports: [443], allow: [] }
      const strict = await startApi({ webhooks })
      try {
        const options = ['--api', strict.address, '--key', await strict.key({ kind: 'secret' })]
        const { code, err } = await host.run(['webhooks', 'listen', '--port', port, ...options], { cwd })
        expect(code).to.equal(2)
        expect(err)
          .to.include(`http://127.0.0.1:${port}/ or http://localhost:${port}/`)
          .and.include('127.0.0.1 or localhost to webhooks.allow')
      } finally {
        await strict[Symbol.asyncDispose]()
      }
    })

    it('subscribes as localhost if the API may send only there', async () => {
      const strict = await startApi({ webhooks: { keys: [Buffer.alloc(32, 7)], ports: [443], allow: ['localhost'] } })
      try {
        const merchant = await webhookMerchant(strict)
        const { waitForOutput } = await startListening(
          '--api',
          strict.address,
          '--key',
          await strict.key({ kind: 'secret' }),
        )
        await waitForOutput(new RegExp(`Listening on http://localhost:${port}/`))
        const [{ subscription_id, endpoint_url }] = (await merchant.ask('GET', '/v1/webhooks')).body
        expect(endpoint_url).to.equal(`http://localhost:${port}/`)
        expect((await merchant.ask('POST', `/v1/webhooks/${subscription_id}/ping`)).body.delivered).to.equal(true)
      } finally {
        await strict[Symbol.asyncDispose]()
      }
    })
  })

  it('key prints 32 new bytes in base64', async () => {
    const [first, second] = [await host.run(['webhooks', 'key'], { cwd }), await host.run(['webhooks', 'key'], { cwd })]
    expect(first.out)
      .to.match(/^[A-Za-z0-9+/]{43}=\n$/)
      .and.not.equal(second.out)
    expect(Buffer.from(first.out, 'base64')).to.have.length(32)
  })
})
