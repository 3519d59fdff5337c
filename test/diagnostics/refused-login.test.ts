import { expect } from 'chai'
import { describeErrorCode } from '../../src/console/text/error-code-text.ts'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { startApi } from '../support/api.ts'
import { until } from '../support/until.ts'

describe('a system that refuses our login', () => {
  it('degrades /health until it is renewed, and the incident says what to do', async () => {
    await using api = await startApi()
    const [key, liveKey] = [await api.key(), await api.key({ mode: 'live' })]
    const { body } = await api.request('/v1/products?limit=40', { key: liveKey })
    const skus = body.data.map(({ sku }: { sku: string }) => sku) as string[]
    const readAll = () => Promise.all(skus.map((sku) => api.request(`/v1/products/${sku}`, { key })))
    const status = async () => (await api.request('/health')).body.checks.upstreams.status as string
    await api.fault('pricing', { status: 401 })
    for (const reply of await readAll()) {
      expect([reply.status, reply.body.price]).to.deep.equal([200, null])
      expect(JSON.stringify(reply.body.errors)).to.not.match(/login|unauthorized|\b401\b/i)
    }
    await until('the circuit opens', async () => {
      await readAll()
      return (await status()) === 'degraded'
    })
    const codes = async () => {
      const { incidents } = await listIncidents(api.db, { limit: 9, open: true })
      return incidents.flatMap(({ codes }) => codes.map(({ code }) => code))
    }
    await until('the incident is stored', async () => (await codes()).includes('unauthorized'))
    expect(describeErrorCode('unauthorized').advice).to.match(/^Whoever runs the system renews the key or the password/)
    await api.clearFaults()
    await until('the circuit closes', async () => {
      await readAll()
      return (await status()) === 'ok'
    })
  })
})
