import { expect } from 'chai'
import { describeConsoleBesideApi } from '../../support/describe-console-beside-api.ts'
import { PASSWORD } from '../console-beside-api.ts'
import { insertFailedDelivery } from '../insert-failed-delivery.ts'

describeConsoleBesideApi('access to the operations listener next to the API', (site) => {
  it('refuses every page and action without a session', async () => {
    const { id, delivery } = await insertFailedDelivery(site.api)
    const ids = { incident: 'inc_1', id, delivery }
    const reading = ['/', '/incidents', `/incidents/${ids.incident}`, '/timeline', '/timeline/series', '/request']
    reading.push('/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries/${delivery}`, '/keys', '/audit')
    for (const path of reading) {
      const { status, text } = await site.request(path)
      expect([status, text], path).to.deep.equal([303, 'Redirecting to the URL in the Location header.'])
      expect((await site.request(path, { headers: { accept: 'application/json' } })).status, path).to.equal(401)
    }
    const acts = [`/webhooks/${id}/disable`, `/webhooks/${id}/deliveries/${delivery}/redeliver`, '/keys/key_1/revoke']
    for (const path of acts)
      expect((await site.postForm(path, { csrf: site.operator.csrf })).status, path).to.equal(401)
    expect((await site.request('/metrics')).status).to.equal(303)
    expect((await site.request('/livez')).body).to.deep.equal({ status: 'ok' })
    expect((await site.request('/readyz')).body).to.deep.equal({ status: 'ready', store: 'ok' })
  })

  it('names the address of the API for its paths, with any method and host', async () => {
    for (const [path, options] of [
      ['/v1/products?limit=1', { headers: { accept: 'text/html' } }],
      ['/v1', {}],
      ['/v1/carts', { method: 'POST', headers: { host: 'shop.example' } }],
      ['/health', {}],
      ['/openapi.json', {}],
    ] as const) {
      const { status, headers, body } = await site.request(path, {
        ...options,
        headers: { 'x-request-id': 'mine', ...options.headers },
      })
      expect([status, headers['content-type'], body], path).to.deep.equal([
        404,
        'application/json',
        {
          type: 'about:blank',
          title: 'Not Found',
          status: 404,
          detail: `This is the port of the operations pages. The API is at ${site.api.address}.`,
          code: 'not_found',
          request_id: 'mine',
        },
      ])
    }
    expect((await site.request('/v10')).status).to.equal(303)
  })

  it('accepts no API keys, and its sessions and passwords are not valid for the API', async () => {
    const token = site.operator.cookie.split('=')[1]!
    const tries = [
      { cookie: site.operator.cookie },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${PASSWORD}` },
      { authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` },
    ]
    for (const headers of tries)
      for (const path of ['/v1/ping', '/v1/products', '/v1/webhooks'])
        expect((await site.api.request(path, { headers })).status).to.equal(401)
    for (const path of ['/sign-in', '/audit', '/keys', '/webhooks', '/assets/base.css'])
      expect((await site.api.request(path, { headers: { cookie: site.operator.cookie } })).status, path).to.equal(404)
    const shopper = {
      headers: { 'x-storefront-shopper-token': token },
      key: await site.api.key({ kind: 'secret', mode: 'live' }),
    }
    expect((await site.api.request('/v1/me', shopper)).status).to.equal(401)
    const key = await site.api.key({ kind: 'secret', mode: 'live' })
    expect(
      (await site.request('/keys', { headers: { authorization: `Bearer ${key}`, accept: 'application/json' } })).status,
    ).to.equal(401)
    expect((await site.request('/keys', { headers: { cookie: `forecourt_operations=${key}` } })).status).to.equal(303)
  })
})
