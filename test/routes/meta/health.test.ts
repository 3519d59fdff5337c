import { expect } from 'chai'
import { version as release } from '../../../src/operations/version.ts'
import { type Api, startApi } from '../../support/api.ts'

describe('health', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  describe('GET /health', () => {
    it('requires no key, and contains no host name', async () => {
      const startedAt = Date.now()
      const { status, body, headers } = await api.request('/health')
      const { time, uptime_seconds, version, ...rest } = body
      expect(status).to.equal(200)
      const { id } = rest.checks.store
      expect(id).to.match(/^[\w-]{16}$/)
      expect(rest).to.deep.equal({
        status: 'ok',
        checks: { store: { status: 'ok', id }, upstreams: { status: 'ok' }, webhooks: { status: 'ok', backlog: 0 } },
      })
      expect(Date.parse(time)).to.be.within(startedAt, Date.now())
      expect(uptime_seconds).to.be.at.least(0)
      expect(version).to.equal(release)
      expect(headers['cache-control']).to.equal('no-store')
    })
  })

  describe('GET /livez and /readyz', () => {
    it('require no key, and are 200 also while an upstream system is down', async () => {
      await api.fault('pricing', { refuse: true })
      for (const [path, body] of [
        ['/livez', { status: 'ok' }],
        ['/readyz', { status: 'ready', store: 'ok' }],
      ] as const) {
        const reply = await api.request(path)
        expect([reply.status, reply.body]).to.deep.equal([200, body])
        expect(reply.headers['cache-control']).to.equal('no-store')
        expect((await api.request(path, { method: 'POST' })).status).to.equal(405)
      }
      await api.clearFaults()
    })
  })
})
