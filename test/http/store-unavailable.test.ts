import { expect } from 'chai'
import { sql } from 'kysely'
import { type Api, startApi } from '../support/api.ts'
import { killDiskOf } from '../support/dead-disk.ts'
import { stores, type TestStore } from '../support/stores.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

/** Makes a store unavailable, and available again. */
interface Breakable extends AsyncDisposable {
  url: string
  reason: string
  fail(api: Api): Promise<unknown>
  mend(api: Api): Promise<unknown>
}

const ways: { how: string; on: TestStore['name']; prepare(store: TestStore): Promise<Breakable> }[] = [
  {
    how: 'does not answer',
    on: 'PostgreSQL',
    async prepare(store) {
      const url = new URL(await store.createMigrated())
      const tunnel = await startTcpProxy(url.hostname, Number(url.port))
      url.hostname = '127.0.0.1'
      url.port = String(tunnel.port)
      return {
        url: url.href,
        reason: 'the store does not respond',
        fail: tunnel.cut,
        mend: tunnel.restore,
        [Symbol.asyncDispose]: () => tunnel[Symbol.asyncDispose](),
      }
    },
  },
  {
    how: 'is on a full disk',
    on: 'SQLite',
    async prepare(store) {
      const setMaxPages = (api: Api, pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(api.db)
      return {
        url: await store.createMigrated(),
        reason: 'the disk is full',
        fail: (api) => setMaxPages(api, 1),
        mend: (api) => setMaxPages(api, 1_000_000),
        async [Symbol.asyncDispose]() {},
      }
    },
  },
  {
    how: 'is on a dead disk',
    on: 'SQLite',
    async prepare(store) {
      const url = await store.createMigrated()
      let mend = () => {}
      return {
        url,
        reason: 'the disk returns errors',
        async fail(api) {
          // Otherwise SQLite would answer from its memory.
          await sql`pragma cache_size = 0`.execute(api.db)
          mend = killDiskOf(url.slice('sqlite:'.length))
        },
        mend: async () => mend(),
        async [Symbol.asyncDispose]() {},
      }
    },
  },
]

for (const store of stores())
  for (const { how, prepare } of ways.filter(({ on }) => on === store.name))
    describe(`the API while its ${store.name} store ${how}`, () => {
      let api: Api
      let breakable: Breakable
      let key: string
      let headers: Record<string, string>
      let now = Date.now()

      before(async () => {
        breakable = await prepare(store)
        api = await startApi({ store: breakable.url, now: () => now })
        key = await api.key({ kind: 'secret' })
        headers = { 'x-storefront-shopper-token': await api.shopperToken() }
      })
      after(async () => {
        await api[Symbol.asyncDispose]()
        await breakable[Symbol.asyncDispose]()
        await store.close()
      })

      const createCart = () => api.request('/v1/carts', { key, headers, method: 'POST' })
      const health = async () => (await api.request('/health')).body
      const readyz = async () => (await api.request('/readyz')).body
      const incidents = () => api.db.selectFrom('incidents').selectAll().where('section', '=', 'store').execute()

      it('refuses what needs the store with a code of its own, serves the catalog, says so, and needs no restart', async () => {
        const cart = await createCart()
        expect(cart.status).to.equal(201)
        await breakable.fail(api)
        now += 2_000
        await until('it is refused', async () => {
          const { status, body, headers: sent } = await createCart()
          if (status === 201) return false
          expect([status, body.code, sent['retry-after']]).to.deep.equal([503, 'store_unavailable', '1'])
          return true
        })
        expect((await api.request('/v1/products/BP-1001', { key })).status).to.equal(200)
        await until('it is known', async () => (await readyz()).store === 'down')
        expect([(await health()).status, (await health()).checks.store.status]).to.deep.equal(['down', 'down'])
        now += 3_600_000
        expect((await api.request('/v1/products/BP-1002', { key })).status, 'an hour later').to.equal(200)

        await breakable.mend(api)
        await until('it is used again', async () => (await createCart()).status === 201)
        now += 6_000
        await until('the outage has ended', async () => (await readyz()).store === 'ok')
        expect((await health()).checks.store.status).to.equal('ok')
        const stored = await api.request(`/v1/carts/${cart.body.cart_id}`, { key, headers })
        expect(stored.body.cart_id).to.equal(cart.body.cart_id)
        now += 10_000
        await until('the incident has ended', async () => (await incidents())[0]?.ended_at != null)
        const [incident, ...others] = await incidents()
        expect(others).to.deep.equal([])
        expect([incident!.tenant_id, incident!.system]).to.deep.equal(['', ''])
        expect(JSON.parse(incident!.codes)).to.have.property('store_unavailable').above(0)
        expect(await api.stopAndReadLog()).to.include(`"reason":"${breakable.reason}"`)
      })
    })
