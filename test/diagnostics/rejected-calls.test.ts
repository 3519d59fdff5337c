import { expect } from 'chai'
import { startApi } from '../support/api.ts'
import { until } from '../support/until.ts'

describe('a system that rejects every call', () => {
  it('degrades /health with a reason until a call succeeds', async () => {
    await using api = await startApi()
    const [key, liveKey] = [await api.key(), await api.key({ mode: 'live' })]
    const { body } = await api.request('/v1/products?limit=40', { key: liveKey })
    const skus = body.data.map(({ sku }: { sku: string }) => sku) as string[]
    const readAll = () => Promise.all(skus.map((sku) => api.request(`/v1/products/${sku}`, { key })))
    const health = async () => (await api.request('/health')).body as { status: string; checks: { upstreams: object } }
    await api.fault('pricing', { status: 403 })
    await until('the system is degraded', async () => {
      await readAll()
      return (await health()).status === 'degraded'
    })
    expect((await health()).checks.upstreams).to.deep.equal({
      status: 'degraded',
      reason: 'A system rejects every call: the rights of Forecourt there or a setting of Forecourt may be wrong.',
    })
    await api.clearFaults()
    await until('a call succeeds', async () => {
      await readAll()
      return (await health()).status === 'ok'
    })
    expect((await health()).checks.upstreams).to.deep.equal({ status: 'ok' })
  })
})
