import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { verifyServiceSignature, verifyWebhook, WebhookVerificationError } from '../../src/client/webhooks.ts'

/** The test vector of docs/webhooks.md. */
const guide = readFileSync('docs/webhooks.md', 'utf8')
const published = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(guide)![1]!
const [secret, body] = [published('secret'), published('body')]
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Service-Signature']
const headers = Object.fromEntries(names.map((name) => [name, published(name)]))
const now = Number(headers['webhook-timestamp']) * 1_000
const options = { secret, now }

const isRefused = async (verification: Promise<unknown>) =>
  (await verification.catch((error: unknown) => error)) instanceof WebhookVerificationError

describe('the verification of webhooks by the client', () => {
  it('accepts the published vector, as text and as bytes', async () => {
    const event = JSON.parse(body)
    expect(await verifyWebhook(body, headers, options)).to.deep.equal(event)
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers), options)).to.deep.equal(event)
    expect(await verifyServiceSignature(body, headers, { secret })).to.deep.equal(event)
  })

  it('accepts what request.arrayBuffer() returns, and bytes of another realm, as a test runner makes them', async () => {
    const bytes = new TextEncoder().encode(body)
    const others = runInNewContext('Uint8Array.from(bytes)', { bytes })
    for (const one of [bytes.buffer, others, others.buffer]) {
      expect(await verifyWebhook(one, headers, options)).to.deep.equal(JSON.parse(body))
      expect(await verifyServiceSignature(one, headers, { secret })).to.deep.equal(JSON.parse(body))
    }
  })

  it('accepts the headers of another realm, and a secret with the line end of a file', async () => {
    const lines = new Headers(headers)
    const others = { get: (name: string) => lines.get(name) } as Headers
    expect(await verifyWebhook(body, others, options)).to.deep.equal(JSON.parse(body))
    expect(await verifyServiceSignature(body, others, { secret: `${secret}\n` })).to.deep.equal(JSON.parse(body))
    expect(
      await verifyWebhook(body, { ...headers, get: 'a header' }, { ...options, secret: `${secret}\r\n` }),
    ).to.include({
      id: headers['webhook-id'],
    })
  })

  it('accepts one of several signatures, and the previous secret', async () => {
    const rotated = { ...headers, 'webhook-signature': `v1,AAAA v2,AAAA ${headers['webhook-signature']}` }
    expect(await verifyWebhook(body, rotated, options)).to.include({ id: headers['webhook-id'] })
    const previous = {
      'x-service-signature': `sha256=${'0'.repeat(64)}`,
      'x-service-signature-previous': headers['X-Service-Signature'],
    }
    expect(await verifyServiceSignature(body, previous, { secret })).to.include({ id: headers['webhook-id'] })
  })

  it('refuses another body, secret, id or time, and malformed headers', async () => {
    const change = (name: string, value: string) => verifyWebhook(body, { ...headers, [name]: value }, options)
    const refused = await Promise.all(
      [
        verifyWebhook(`${body} `, headers, options),
        verifyWebhook(body, headers, { ...options, secret: 'whsec_AAAA' }),
        verifyWebhook(body, headers, { ...options, now: now + 300_001 }),
        verifyWebhook(body, headers, { ...options, now: now - 300_001 }),
        verifyWebhook(body, {}, options),
        change('webhook-id', 'evt_2'),
        change('webhook-timestamp', 'NaN'),
        change('webhook-timestamp', String(now / 1_000 + 1)),
        change('webhook-signature', 'v1,'),
        change('webhook-signature', 'v1,***'),
        change('webhook-signature', `${headers['webhook-signature']}AAAA`),
        verifyServiceSignature(`${body} `, headers, { secret }),
        verifyServiceSignature(body, {}, { secret }),
        verifyServiceSignature(body, { 'x-service-signature': 'sha256=' }, { secret }),
      ].map(isRefused),
    )
    expect(refused).to.deep.equal(refused.map(() => true))
  })
})
