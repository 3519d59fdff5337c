import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { type Api, startApi } from '../../support/api.ts'

const SECRET = 'a secret that the back office signs its hints with'
const STANDARD = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const hex = (body: string, secret = SECRET) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

describe('POST /hooks/:merchant/:system', () => {
  let api: Api

  before(async () => {
    api = await startApi({
      merchants: (of) => [
        { merchant: 'hinting', live: of('acme-live'), hookSecret: SECRET },
        { merchant: 'standard', live: of('acme-live'), hookSecret: STANDARD },
        { merchant: 'mistaken', live: of('acme-live'), hookSecret: 'whsec_not-base64-at-all' },
        { merchant: 'void', live: of('acme-live'), hookSecret: 'whsec_!!!!!!!!!!' },
      ],
    })
  })
  after(() => api[Symbol.asyncDispose]())
  beforeEach(() => api.db.deleteFrom('leases').where('name', 'like', 'wake:%').execute())

  const hint = (path: string, body = '{"changed":"everything"}', headers: Record<string, string> = {}) =>
    api.request(`/hooks/${path}`, { method: 'POST', body, headers: { 'x-service-signature': hex(body), ...headers } })
  const woken = async () => {
    const rows = await api.db
      .selectFrom('leases')
      .select('name')
      .where('name', 'like', 'wake:%')
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }

  it('accepts a signed hint with any body, and wakes the feeds of that system in both modes', async () => {
    for (const body of ['{"changed":"everything"}', 'not JSON', '']) {
      const { status, body: result } = await hint('hinting/inventory', body)
      expect([status, result]).to.deep.equal([202, { accepted: true }])
    }
    expect(await woken()).to.deep.equal(['wake:hinting/live/inventory', 'wake:hinting/sandbox/inventory'])
  })

  it('wakes only the given mode', async () => {
    expect((await hint('hinting/accounting?mode=live')).status).to.equal(202)
    expect(await woken()).to.deep.equal(['wake:hinting/live/accounting'])
    expect((await hint('hinting/accounting?mode=both')).status).to.equal(422)
  })

  it('accepts the headers of Standard Webhooks', async () => {
    const signed = (body: string, at: Date) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(STANDARD).sign('msg_1', at, body),
      'x-service-signature': '',
    })
    expect((await hint('standard/pricing', '{}', signed('{}', new Date()))).status).to.equal(202)
    expect((await hint('standard/pricing', '{ }', signed('{}', new Date()))).status).to.equal(401)
    expect((await hint('standard/pricing', '{}', signed('{}', new Date(Date.now() - 600_000)))).status).to.equal(401)
    expect((await hint('hinting/pricing', '{}', signed('{}', new Date()))).status).to.equal(401)
  })

  it('rejects every signature for a merchant with an unusable secret', async () => {
    const stamp = String(Math.floor(Date.now() / 1_000))
    for (const [merchant, key] of [
      ['void', Buffer.alloc(0)],
      ['mistaken', Buffer.from('not-base64-at-all', 'base64')],
    ] as const) {
      const signature = createHmac('sha256', key).update(`msg_1.${stamp}.{}`).digest('base64')
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': stamp, 'webhook-signature': `v1,${signature}` }
      expect((await hint(`${merchant}/pricing`, '{}', { ...headers, 'x-service-signature': '' })).status).to.equal(401)
    }
  })

  it('returns the same response for every missing or wrong signature, and wakes no feed', async () => {
    const responses = await Promise.all([
      hint('hinting/inventory', '{}', { 'x-service-signature': '' }),
      hint('hinting/inventory', '{}', { 'x-service-signature': hex('{}', 'another') }),
      hint('hinting/inventory', '{}', { 'x-service-signature': hex('{ }') }),
      hint('hinting/inventory', '{}', { 'x-service-signature': hex('{}').toUpperCase() }),
      hint('acme/inventory', '{}', { 'x-service-signature': hex('{}', '') }),
      hint('nobody/inventory', '{}'),
      hint('__proto__/inventory', '{}'),
    ])
    const [first, ...others] = responses.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
    expect(first).to.deep.include({ status: 401 })
    expect(first!.body.code).to.equal('invalid_signature')
    for (const other of others) expect(other).to.deep.equal(first)
    expect(await woken()).to.deep.equal([])
  })

  it('accepts three systems, one method, and bodies up to 64 KiB', async () => {
    expect((await hint('hinting/warehouse')).status).to.equal(404)
    expect((await api.request('/hooks/hinting/inventory')).status).to.equal(405)
    expect((await hint('hinting/inventory', 'x'.repeat(65_536))).status).to.equal(202)
    const large = await hint('hinting/inventory', 'x'.repeat(65_537))
    expect([large.status, large.body.detail]).to.deep.equal([
      413,
      'The request body is larger than 64 KiB, the limit of this call. Split a long list into several calls, and omit members that the call does not have.',
    ])
  })

  it('is logged without its body', async () => {
    const own = await startApi({
      merchants: (of) => [{ merchant: 'hinting', live: of('acme-live'), hookSecret: SECRET }],
    })
    const body = 'what was sent'
    await own.request('/hooks/hinting/inventory', {
      method: 'POST',
      body,
      headers: { 'x-service-signature': hex(body) },
    })
    const lines = await own.stopAndReadLog()
    await own[Symbol.asyncDispose]()
    expect(lines).to.match(/"route":"hook","status":202/)
    expect(lines).to.not.include(body).and.not.include(SECRET)
  })
})
