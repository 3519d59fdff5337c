import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { findIncident } from '../../src/diagnostics/reports/incident-detail.ts'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { readRequestRecords } from '../../src/diagnostics/reports/request-records.ts'
import { cartShopper } from '../routes/carts/cart-shopper-client.ts'
import { type Api, type Reply, startApi } from '../support/api.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'

for (const store of stores()) {
  describe(`incidents of several servers on one ${store.name}`, () => {
    let apis: Api[]
    /** Added to the real time. */
    let aheadMs = 0
    let keys: string[]

    before(async () => {
      await store.open()
      const open = () => startApi({ store: store.url(), now: () => Date.now() + aheadMs })
      apis = []
      while (apis.length < store.maxServers) apis.push(await open())
      keys = await Promise.all(['acme', 'acme', 'zenith'].map((merchant) => apis[0]!.key({ merchant })))
    })
    after(async () => {
      for (const api of apis) await api[Symbol.asyncDispose]()
      await store.close()
    })

    const read = (path: string, api = apis[0]!, key = keys[0]!) => api.request(path, { key })
    const errorsOf = ({ body }: Reply) => (body.errors ?? []) as { field: string; code: string }[]
    const list = async () => (await listIncidents(apis[0]!.db, { limit: 50 })).incidents

    it('count the degraded responses of a client, and close on recovery', async () => {
      // In the other mode, so that the cache of this one stays empty.
      const { body } = await read('/v1/products?limit=12', apis[0], await apis[0]!.key({ mode: 'live' }))
      const skus = (body.data as { sku: string }[]).map(({ sku }) => sku)
      for (const api of apis) await api.fault('accounting', { refuse: true })
      const counted = new Map<string, number>()
      const pending = apis.flatMap((api, at) =>
        skus.map(async (sku) => {
          const reply = await read(`/v1/products/${sku}`, api, keys[at])
          for (const { field, code } of errorsOf(reply))
            counted.set(`${field} ${code}`, (counted.get(`${field} ${code}`) ?? 0) + 1)
          return reply
        }),
      )
      const replies = await Promise.all(pending)
      const degraded = replies.filter((reply) => errorsOf(reply).length > 0)
      expect(degraded.length).to.equal(apis.length * skus.length)
      const stored = async () => {
        const codes = (await list()).flatMap(({ section, codes }) =>
          codes.map(({ code, count }) => [`${section} ${code}`, count] as const),
        )
        return new Map(codes)
      }
      const untilStored = () =>
        until('all responses are counted', async () => {
          const now = await stored()
          return [...now.values()].reduce((sum, count) => sum + count, 0) >= degraded.length
        })
      await untilStored()
      expect([...(await stored())]).to.have.deep.members([...counted])
      const [incident, ...others] = await list()
      expect(others).to.deep.equal([])
      expect(incident).to.include({
        tenant: 'acme',
        mode: 'sandbox',
        system: 'accounting',
        section: 'tax',
        endedAt: null,
      })
      expect(incident!.answers).to.equal(degraded.length)

      const { samples } = (await findIncident(apis[0]!.db, incident!.incidentId))!
      const [record] = await readRequestRecords(apis[0]!.db, samples[0]!.requestId)
      expect(record).to.include({ kind: 'degraded', route: 'getProduct', status: 200 })
      expect(record!.sections.find(({ name }) => name === 'tax')).to.include({ system: 'accounting', staleAsOf: null })

      for (const api of apis) await api.clearFaults()
      await until('taxes have recovered', async () => {
        const replies = await Promise.all(apis.map((api, at) => read(`/v1/products/${skus[0]}`, api, keys[at])))
        const lacking = replies.filter((reply) => errorsOf(reply).length > 0)
        degraded.push(...lacking)
        return lacking.length === 0
      })
      // Responses that another process has not written yet would reopen the incident.
      await untilStored()
      aheadMs = 6_000
      await until('the incident is closed', async () => (await list())[0]!.endedAt !== null)
      const incidents = await list()
      expect(incidents).to.have.lengthOf(1)
      expect(incidents[0]!.endedAt).to.equal(incidents[0]!.lastAt)
    })

    it('cover failed checkouts and carts, and close when these succeed', async () => {
      const [api] = apis as [Api]
      const shopper = await cartShopper(api, { merchant: 'zenith' })
      const path = await shopper.cart({ sku: knownSkus.inStock, quantity: 1 })
      const checkOut = () => shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) })
      await api.fault('pricing', { status: 500 })
      const failed = [await checkOut(), await shopper.ask('POST', `${path}/price`)]
      expect(failed.map(({ status }) => status)).to.deep.equal([502, 502])
      const zenithIncidents = async () => (await list()).filter(({ tenant }) => tenant === 'zenith')
      await until('both incidents are stored', async () => (await zenithIncidents()).length === 2)
      expect(
        (await zenithIncidents()).map(({ system, section, answers }) => [system, section, answers]),
      ).to.have.deep.members([
        ['pricing', 'checkout', 1],
        ['pricing', 'pricing', 1],
      ])
      await api.clearFaults()
      expect((await shopper.ask('POST', `${path}/price`)).status).to.equal(200)
      expect((await checkOut()).status).to.equal(200)
      aheadMs += 6_000
      await until('both incidents are closed', async () =>
        (await zenithIncidents()).every(({ endedAt }) => endedAt !== null),
      )
      expect((await zenithIncidents()).every(({ recoveredAt, lastAt }) => recoveredAt! > lastAt)).to.equal(true)
    })

    it('cover orders that accounting dropped or did not accept, though shoppers see no error', async () => {
      const [api] = apis as [Api]
      const shopper = await cartShopper(api, { merchant: 'zenith' })
      const ordered = async (id: string) => {
        const path = await shopper.cart({ sku: knownSkus.inStock, quantity: 1 })
        const body = { cart_id: path.split('/').at(-1) }
        return shopper.ask('POST', '/v1/checkout', body, { 'x-request-id': id })
      }
      await api.fault('accounting', { status: 503, only: ['placeOrder'] })
      const { body } = await ordered('unplaced')
      expect([body.state, body.errors]).to.deep.equal(['processing', undefined])
      const own = async () => {
        const { incidents } = await listIncidents(apis[0]!.db, { merchant: 'zenith', limit: 50, open: true })
        return incidents.map(({ system, section, answers, codes }) => [system, section, answers, codes])
      }
      const codes = [{ code: 'downstream_error', count: 1 }]
      await until('the incident is stored', async () => (await own()).length > 0)
      expect(await own()).to.deep.equal([['accounting', 'checkout', 1, codes]])
      await until('the request is recorded', async () => (await readRequestRecords(apis[0]!.db, 'unplaced')).length > 0)
      const [record] = await readRequestRecords(apis[0]!.db, 'unplaced')
      expect(record).to.include({ kind: 'degraded', route: 'checkout', status: 200, code: null })
      expect(record!.sections.map(({ name, system, outcome }) => [name, system, outcome])).to.deep.equal([
        ['checkout', 'accounting', 'error'],
      ])
      const placing = record!.calls.filter(({ operation }) => operation === 'placeOrder')
      expect(placing.map(({ outcome }) => outcome)).to.deep.equal(['error'])
      await api.clearFaults()
      expect((await ordered('placed')).body.state).to.equal('placed')
      aheadMs += 6_000
      await until('the incident is closed', async () => (await own()).length === 0)
    })

    it('ignore a simulated failure, which only gets a record', async () => {
      const headers = { 'X-Sandbox-Fault': 'pricing=timeout', 'X-Request-Id': 'asked-for' }
      const reply = await apis[0]!.request('/v1/products/BP-1001', { key: keys[2]!, headers })
      expect(errorsOf(reply)).to.not.deep.equal([])
      await until(
        'the request is recorded',
        async () => (await readRequestRecords(apis[0]!.db, 'asked-for')).length > 0,
      )
      const own = (await list()).filter(({ tenant, section }) => tenant === 'zenith' && section === 'price')
      expect(own).to.deep.equal([])
    })
  })
}
