import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { stores } from '../support/stores.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

for (const store of stores().filter(({ name }) => name === 'PostgreSQL')) {
  describe('the API without its PostgreSQL', () => {
    let api: Api
    let tunnel: TcpProxy
    let key: string
    let headers: Record<string, string>
    let now = Date.now()

    before(async () => {
      await (await store.open()).destroy()
      const url = new URL(store.url())
      tunnel = await startTcpProxy(url.hostname, Number(url.port))
      url.hostname = '127.0.0.1'
      url.port = String(tunnel.port)
      api = await startApi({ store: url.href, now: () => now })
      key = await api.key({ kind: 'secret' })
      headers = { 'x-storefront-shopper-token': await api.shopperToken() }
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await tunnel[Symbol.asyncDispose]()
      await store.close()
    })

    const cart = () => api.request('/v1/carts', { key, headers, method: 'POST' })

    it('responds with 503 where it needs the store, serves the catalog to cached keys, and needs no restart', async () => {
      expect((await cart()).status).to.equal(201)
      await tunnel.cut()
      now += 2_000
      const { status, body, headers: responseHeaders } = await cart()
      expect([status, body.code, responseHeaders['retry-after']]).to.deep.equal([503, 'downstream_unavailable', '1'])
      expect((await api.request('/v1/products/BP-1001', { key })).status).to.equal(200)
      expect((await api.request('/health')).body.status).to.equal('down')
      await tunnel.restore()
      expect((await cart()).status).to.equal(201)
    })
  })
}
