import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('the body of a problem', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  it('is application/problem+json to clients that accept it', async () => {
    const accept = 'text/html, application/problem+json;q=0.9'
    const { headers } = await api.request('/v1/products/NOPE-1', { key, headers: { accept } })
    expect(headers['content-type']).to.equal('application/problem+json')
    expect((await api.request('/v1/products/NOPE-1', { key })).headers['content-type']).to.equal('application/json')
  })
})
