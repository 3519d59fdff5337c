import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { newEmail, shopperAccountCalls } from '../support/shopper-account-calls.ts'
import { until } from '../support/until.ts'

/** The hourly allowance of emails of one client address. */
const LETTERS = 60

describe('the API behind a proxy', () => {
  let api: Api
  afterEach(() => api[Symbol.asyncDispose]())

  const askForLetter = async (key: string, forwardedFor: string) => {
    const headers = { 'x-forwarded-for': forwardedFor }
    const body = { email: newEmail() }
    return (await api.request('/v1/shoppers/password-reset', { key, method: 'POST', headers, body })).status
  }
  const logLines = async (message: string) =>
    (await api.stopAndReadLog())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === message)

  it('limits each shopper by themselves when the proxy is trusted', async () => {
    api = await startApi({ trustedProxies: ['loopback'] })
    const key = await api.key()
    for (let n = 0; n < LETTERS; n++) expect(await askForLetter(key, '203.0.113.9, 192.0.2.1')).to.equal(202)
    expect(await askForLetter(key, '198.51.100.4, 192.0.2.1')).to.equal(429)
    expect(await askForLetter(key, '192.0.2.1, 192.0.2.2')).to.equal(202)
  })

  it('counts everybody as one client when it is not trusted', async () => {
    api = await startApi({ trustedProxies: ['10.0.0.0/8'] })
    const key = await api.key()
    for (let n = 0; n < LETTERS; n++) expect(await askForLetter(key, `192.0.2.${n}`)).to.equal(202)
    expect(await askForLetter(key, '192.0.2.99')).to.equal(429)
  })

  it('counts hidden clients as one', async () => {
    api = await startApi({ trustedProxies: ['loopback'] })
    const key = await api.key()
    for (let n = 0; n < LETTERS; n++) expect(await askForLetter(key, `hidden-${n}`)).to.equal(202)
    expect(await askForLetter(key, 'hidden too')).to.equal(429)
    expect(await askForLetter(key, '192.0.2.1')).to.equal(202)
  })

  it('believes X-Storefront-Client-IP of a secret key, behind a proxy too', async () => {
    api = await startApi({ trustedProxies: ['loopback'] })
    const post = shopperAccountCalls(api, await api.key({ kind: 'secret' }))
    const status = async (address: string) => (await post('/password-reset', { email: newEmail() }, address)).status
    for (let n = 0; n < LETTERS; n++) expect(await status('192.0.2.1')).to.equal(202)
    expect([await status('::ffff:192.0.2.1'), await status('192.0.2.2')]).to.deep.equal([429, 202])
  })

  it('writes the client into the log, for cached responses too', async () => {
    api = await startApi({ trustedProxies: ['loopback'] })
    const key = await api.key()
    const headers = { 'x-request-id': 'mine', 'x-forwarded-for': '192.0.2.1' }
    for (let n = 0; n < 2; n++) await api.request('/v1/tags', { key, headers })
    await api.request('/v1/tags', { headers: { ...headers, 'x-forwarded-for': '", "x' } })
    const lines = (await logLines('request')).filter(({ request_id }) => request_id === 'mine')
    expect(lines.map(({ cache, client_address }) => [cache, client_address])).to.deep.equal([
      ['miss', '192.0.2.1'],
      ['hit', '192.0.2.1'],
      ['none', 'unknown'],
    ])
  })

  it('warns once that the proxy is not configured, and remembers it', async () => {
    api = await startApi()
    const key = await api.key()
    for (let n = 0; n < 5; n++) await api.request('/v1/tags', { key, headers: { 'x-forwarded-for': '192.0.2.1' } })
    const readSightings = () => api.db.selectFrom('proxy_sightings').select(['header', 'address']).execute()
    await until('the proxy is stored', async () => (await readSightings()).length > 0)
    expect(await readSightings()).to.deep.equal([{ header: 'X-Forwarded-For', address: '127.0.0.1' }])
    const lines = (await api.stopAndReadLog()).split('\n').filter((line) => line.includes('trusted_proxies is not set'))
    expect(lines.map((line) => JSON.parse(line).address)).to.deep.equal(['127.0.0.1'])
  })

  it('does not warn where the configuration says that there is none', async () => {
    api = await startApi({ trustedProxies: [] })
    await api.request('/v1/tags', { key: await api.key(), headers: { forwarded: 'for=192.0.2.1' } })
    expect(await api.db.selectFrom('proxy_sightings').selectAll().execute()).to.deep.equal([])
    expect(await api.stopAndReadLog()).to.not.include('trusted_proxies is not set')
  })
})
