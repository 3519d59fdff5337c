import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import { generateApiKey } from '../../../src/storage/keys/api-key-format.ts'
import { revokeApiKey } from '../../../src/storage/keys/api-keys.ts'
import { type Api, startApi } from '../../support/api.ts'
import { until } from '../../support/until.ts'

const PATH = '/v1/ping'

describe('an API key', () => {
  let api: Api
  let aheadMs = 0

  before(async () => {
    api = await startApi({ now: () => Date.now() + aheadMs })
  })
  after(() => api[Symbol.asyncDispose]())

  const sendWith = async (authorization: string | undefined, path = PATH) => {
    const headers = authorization === undefined ? {} : { authorization }
    const reply = await api.request(path, { headers })
    return { status: reply.status, code: reply.body.code, challenge: reply.headers['www-authenticate'], reply }
  }
  const refusal = { status: 401, challenge: 'Bearer' }

  it('is required', async () => {
    const { reply, ...rest } = await sendWith(undefined)
    expect(rest).to.deep.equal({ ...refusal, code: 'missing_api_key' })
    expect(reply.headers['cache-control']).to.equal('no-store')
    const { request_id, ...body } = reply.body
    expect(request_id).to.equal(reply.headers['x-request-id'])
    expect(body).to.deep.equal({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      code: 'missing_api_key',
      detail: 'Send your API key as Authorization: Bearer <key>.',
    })
  })

  for (const [what, authorization] of Object.entries({
    empty: () => '',
    'of another scheme': () => 'Basic c3ZjOg==',
    'without a key': () => 'Bearer ',
    'without a scheme': (key: string) => key,
  }))
    it(`is missing, and the response says what to send, when Authorization is ${what}`, async () => {
      const { reply, ...rest } = await sendWith(authorization(await api.key()))
      expect(rest).to.deep.equal({ ...refusal, code: 'missing_api_key' })
      expect(reply.body.detail).to.include('Authorization: Bearer <key>')
    })

  it('is rejected once its merchant is no longer configured', async () => {
    const { reply, ...rest } = await sendWith(`Bearer ${await api.key({ merchant: 'closed-down' })}`)
    expect(rest).to.deep.equal({ ...refusal, code: 'invalid_api_key' })
    expect(reply.body).to.not.have.property('tenant_id')
  })

  it('may follow any spelling of Bearer', async () => {
    const key = await api.key()
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      expect((await sendWith(`${scheme} ${key}`)).status, scheme).to.equal(200)
    }
  })

  describe('is rejected with the same response', () => {
    const invalid = { ...refusal, code: 'invalid_api_key' }
    const made = (change: (key: string) => string) => async () => `Bearer ${change(await api.key())}`
    const expired = async () => `Bearer ${await api.key({ expiresAt: new Date(Date.now() - 1_000).toISOString() })}`
    const revoked = async () => {
      const { key, record } = await api.issueKey()
      await revokeApiKey(api.db, record.key_id)
      return `Bearer ${key}`
    }

    for (const [what, authorization] of Object.entries({
      unknown: async () => `Bearer ${generateApiKey('publishable', 'sandbox')}`,
      'mistyped at its end': made((key) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')),
      'mistyped in its middle': made((key) => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)),
      'turned into a live one': made((key) => key.replace('_test_', '_live_')),
      'turned into a secret one': made((key) => key.replace('_pub_', '_sec_')),
      'too short': made((key) => key.slice(0, -1)),
      'too long': made((key) => `${key}0`),
      'two keys': made((key) => `${key} ${key}`),
      huge: made((key) => key.repeat(100)),
      expired,
      revoked,
    })) {
      it(`when it is ${what}`, async () => {
        const { reply: _, ...rest } = await sendWith(await authorization())
        expect(rest).to.deep.equal(invalid)
      })
    }
  })

  it('is rejected within a second of its expiry', async () => {
    const expiresAt = new Date(Date.now() + aheadMs + 60_000).toISOString()
    const key = await api.key({ expiresAt })
    expect((await sendWith(`Bearer ${key}`)).status).to.equal(200)
    aheadMs += 61_100
    expect((await sendWith(`Bearer ${key}`)).code).to.equal('invalid_api_key')
  })

  it('is rejected within a second when another process revokes it, also on a cached read', async () => {
    const { key, record } = await api.issueKey()
    const path = '/v1/products/BP-1001'
    await sendWith(`Bearer ${key}`, path)
    expect((await sendWith(`Bearer ${key}`, path)).reply.headers['cache-status']).to.match(/hit/)
    const elsewhere = await openDatabase(api.store)
    await revokeApiKey(elsewhere, record.key_id)
    await elsewhere.destroy()
    aheadMs += 1_000
    expect((await sendWith(`Bearer ${key}`, path)).code).to.equal('invalid_api_key')
  })

  it('is rejected after its revocation, also when the clock was set back meanwhile', async () => {
    const { key, record } = await api.issueKey()
    expect((await sendWith(`Bearer ${key}`)).status).to.equal(200)
    await revokeApiKey(api.db, record.key_id, new Date(Date.now() + aheadMs + 90_000))
    aheadMs -= 3_600_000
    expect((await sendWith(`Bearer ${key}`)).code).to.equal('invalid_api_key')
    aheadMs += 3_600_000
  })

  it('is accepted within a second of its creation by another process, even if it was tried before', async () => {
    const { key, record } = await api.issueKey({ expiresAt: '2020-01-01T00:00:00.000Z' })
    expect((await sendWith(`Bearer ${key}`)).status).to.equal(401)
    await api.db.updateTable('api_keys').set({ expires_at: null }).where('key_id', '=', record.key_id).execute()
    await until('the key is believed', async () => (await sendWith(`Bearer ${key}`)).status === 200)
  })

  it('needs the scope of the route', async () => {
    const key = await api.key({ scopes: ['storefront:auth'] })
    const { status, code } = await sendWith(`Bearer ${key}`, '/v1/products')
    expect({ status, code }).to.deep.equal({ status: 403, code: 'insufficient_scope' })
  })

  for (const kind of ['publishable', 'secret'] as const) {
    it(`reads the catalog when it is ${kind}`, async () => {
      const key = await api.key({ kind })
      expect((await sendWith(`Bearer ${key}`, '/v1/products?limit=1')).status).to.equal(200)
    })
  }
})

describe('an API key that was used', () => {
  it('has its last use recorded, at the latest when the server shuts down', async () => {
    await using api = await startApi()
    const { key, record } = await api.issueKey()
    const startedAt = Date.now()
    await api.request(PATH, { key })
    await api.stopAndReadLog()
    const db = await openDatabase(api.store)
    const { last_used_at } = await db
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('key_id', '=', record.key_id)
      .executeTakeFirstOrThrow()
    await db.destroy()
    expect(Date.parse(last_used_at!)).to.be.within(startedAt, Date.now())
  })
})
