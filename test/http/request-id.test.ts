import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'

describe('the id of a request', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  it('is the one of the caller where that is well-formed', async () => {
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) {
      const { headers, body } = await api.request('/v1/nowhere', { key, headers: { 'x-request-id': id } })
      expect([headers['x-request-id'], body.request_id]).to.deep.equal([id, id])
    }
    for (const id of ['', ' ', 'a b', 'é', 'x'.repeat(129), 'a"b', '<script>']) {
      const { headers } = await api.request('/v1/nowhere', {
        key,
        headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
      })
      expect(headers['x-request-id']).to.not.equal(id)
    }
  })

  it('is another for each request', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => api.request('/health')))
    expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).to.equal(50)
  })
})
