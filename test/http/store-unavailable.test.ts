import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { stores } from '../support/stores.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

for (const store of stores().filter(({ name }) => name === 'PostgreSQL')) {
  describe('with its PostgreSQL away', () => {
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
      headers = { 'x-storefront-shopper-token': await api.shopper() }
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await tunnel[Symbol.asyncDispose]()
      await store.close()
    })

    const cart = () => api.ask('/v1/carts', { key, headers, method: 'POST' })

    it('answers 503 where it needs it, serves the catalog to keys it knew, and needs no restart', async () => {
      expect((await cart()).status).to.equal(201)
      await tunnel.cut()
      now += 2_000
      const { status, body, headers: said } = await cart()
      expect([status, body.code, said['retry-after']]).to.deep.equal([503, 'downstream_unavailable', '1'])
      expect((await api.ask('/v1/products/BP-1001', { key })).status).to.equal(200)
      expect((await api.ask('/health')).body.status).to.equal('down')
      await tunnel.mend()
      expect((await cart()).status).to.equal(201)
    })
  })
}
