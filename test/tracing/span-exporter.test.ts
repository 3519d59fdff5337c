import { expect } from 'chai'
import { version } from '../../src/operations/version.ts'
import { hang, respondJson } from '../support/scripted-upstream.ts'
import { startTracedApi } from './tracing-setup.ts'

describe('the span exporter', () => {
  it('sends the configured headers, the service name and the version, and nothing secret', async () => {
    await using api = await startTracedApi({ headers: { 'X-Tenant': 'shop' } })
    await api.request('/v1/ping', { key: api.ownKey })
    await api.spans()
    const { headers, path, body } = api.collected[0]!
    expect([path, headers['x-tenant'], headers['content-type']]).to.deep.equal([
      '/v1/traces',
      'shop',
      'application/json',
    ])
    expect(body).to.include('"service.name"').and.to.include('"forecourt"')
    expect(body).to.include(`{"key":"service.version","value":{"stringValue":"${version}"}}`)
    expect(body).to.not.include(api.ownKey)
  })

  it('drops spans when the collector is unreachable, and logs it once', async () => {
    await using api = await startTracedApi(
      { headers: { authorization: 'Bearer secret' } },
      { now: () => 1_795_000_000_000 },
      respondJson({ said: 'page' }, 404),
    )
    const ask = () => api.request('/v1/ping', { key: api.ownKey })
    for (let n = 0; n < 600; n += 100) {
      const replies = await Promise.all(Array.from({ length: 100 }, ask))
      expect(replies.every(({ status }) => status === 200)).to.equal(true)
    }
    const lines = (await api.stopAndReadLog()).split('\n').filter((line) => line.includes('collector'))
    expect(lines).to.have.lengthOf(1)
    expect(JSON.parse(lines[0]!)).to.include({ level: 40 }).and.to.have.property('lost').above(0)
    expect(lines[0]).to.not.include('page').and.to.not.include('secret')
    expect(api.collected.length).to.be.above(1)
  })

  it('shuts down although the collector never responds', async () => {
    await using api = await startTracedApi({}, {}, hang)
    await api.request('/v1/ping', { key: api.ownKey })
    await api.spans()
    expect(api.collected).to.not.deep.equal([])
  })
})
