import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('a request that is not valid', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  it('is 422 with every error at once, as in FastAPI', async () => {
    const { status, body, headers } = await api.request('/v1/products?limit=0&offset=-1&vehicle_id=x', { key })
    expect(status).to.equal(422)
    expect(body).to.deep.equal({
      detail: [
        {
          type: 'int_parsing',
          loc: ['query', 'vehicle_id'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          input: 'x',
        },
        {
          type: 'greater_than_equal',
          loc: ['query', 'limit'],
          msg: 'Input should be greater than or equal to 1',
          input: '0',
          ctx: { ge: 1 },
        },
        {
          type: 'greater_than_equal',
          loc: ['query', 'offset'],
          msg: 'Input should be greater than or equal to 0',
          input: '-1',
          ctx: { ge: 0 },
        },
      ],
    })
    expect(headers).to.include({ 'cache-control': 'no-store', 'content-type': 'application/json' })
    expect(headers).to.include.keys('ratelimit', 'x-ratelimit-remaining')
  })

  for (const [type, hint] of [
    ['', 'Send JSON with Content-Type: application/json. The request has no Content-Type.'],
    [
      'text/plain;charset=UTF-8',
      'Send JSON with Content-Type: application/json. The request has another Content-Type.',
    ],
  ])
    it(`has a hint when its body is not sent as JSON: ${type || 'no Content-Type'}`, async () => {
      const headers = { 'content-type': type!, origin: 'https://shop.example' }
      const shop = await api.key({ origins: ['*'] })
      const body = '{"skus":["BP-1001"]}'
      const reply = await api.request('/v1/availability/batch', { key: shop, headers, body })
      expect(reply.status).to.equal(422)
      expect(reply.headers['forecourt-hint']).to.equal(hint)
      expect(reply.headers['access-control-expose-headers']).to.include('Forecourt-Hint')
      expect(reply.body.detail).to.have.length(2)
      expect(reply.body.detail[0]).to.include({ type: 'model_attributes_type' })
      expect(reply.body.detail[1]).to.deep.equal({
        type: 'content_type',
        loc: ['header', 'Content-Type'],
        msg: hint,
        input: type ?? '',
      })
    })

  it('has no hint when its body is JSON', async () => {
    const { status, headers } = await api.request('/v1/availability/batch', { key, body: { skus: [] } })
    expect([status, headers['forecourt-hint']]).to.deep.equal([422, undefined])
  })

  it('has a hint when its body has a member that resembles a known one', async () => {
    const body = { email: 'parts@mobay-garage.example', pasword: 'not to be echoed' }
    const reply = await api.request('/v1/shoppers/login', { key, body })
    expect([reply.status, reply.body.detail[0].loc]).to.deep.equal([422, ['body', 'password']])
    expect(reply.headers['forecourt-hint']).to.equal(
      'The member "pasword" of the body is unknown and was ignored. Did you mean "password"?',
    )
  })

  it('describes an invalid email address in words', async () => {
    const body = { email: 'nobody', password: 'long enough' }
    const { status, body: error } = await api.request('/v1/shoppers/login', { key, body })
    expect(status).to.equal(422)
    expect(error.detail).to.deep.equal([
      {
        type: 'string_pattern_mismatch',
        loc: ['body', 'email'],
        msg: 'Input should be a valid email address, such as name@example.com',
      },
    ])
  })

  for (const [limit, type] of [
    ['201', 'less_than_equal'],
    ['1.5', 'int_parsing'],
    ['', 'int_parsing'],
    ['1&limit=300', 'less_than_equal'],
    ['99999999999999999999', 'less_than_equal'],
  ]) {
    it(`rejects limit=${limit}`, async () => {
      const { status, body } = await api.request(`/v1/products?limit=${limit}`, { key })
      expect([status, body.detail[0].type]).to.deep.equal([422, type])
    })
  }

  it('truncates the input in its errors', async () => {
    const { body } = await api.request(`/v1/products?limit=${'7'.repeat(3_000)}x`, { key })
    expect(body.detail[0].input).to.have.length(256)
  })

  for (const [what, body, detail] of [
    ['no body', '', { type: 'missing', loc: ['body'] }],
    ['broken JSON', '{"skus": [}', { type: 'json_invalid', loc: ['body', 10] }],
    ['a list', '[]', { type: 'model_attributes_type', loc: ['body'] }],
    ['null', 'null', { type: 'missing', loc: ['body'] }],
    ['no skus', '{}', { type: 'missing', loc: ['body', 'skus'] }],
    ['a SKU of the wrong type', '{"skus":["a",1]}', { type: 'string_type', loc: ['body', 'skus', 1] }],
  ] as const) {
    it(`rejects ${what} as a batch`, async () => {
      const { status, body: problem } = await api.request('/v1/availability/batch', { key, method: 'POST', body })
      expect(status).to.equal(422)
      expect(problem.detail[0]).to.deep.include(detail)
    })
  }

  it('treats a body without a JSON content type as text', async () => {
    const headers = { 'content-type': 'text/plain' }
    const { status, body } = await api.request('/v1/availability/batch', { key, headers, body: '{"skus":["a"]}' })
    expect([status, body.detail[0].type]).to.deep.equal([422, 'model_attributes_type'])
  })

  it('is checked before 404', async () => {
    const { status } = await api.request('/v1/products/NOPE-1/fitments?limit=0', { key })
    expect(status).to.equal(422)
  })
})
