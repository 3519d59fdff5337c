import { expect } from 'chai'
import { createRouteSuggestion } from '../../../src/http/responses/route-suggestion.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'

const suggest = createRouteSuggestion(apiRoutes.map(({ path, method }) => ({ path, methods: [method] })))

describe('the suggestion for an unknown path', () => {
  for (const { method, path } of apiRoutes) {
    const sent = path.replace(/:\w+/g, 'x1')
    const named = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
    it(`names ${named}, however it is misspelled`, () => {
      for (const wrong of [
        `${sent}/`,
        `/${sent}`,
        sent.replace('/v1', ''),
        `/api${sent}`,
        sent.replace('/v1', '/V1'),
        sent.toUpperCase(),
        sent.replaceAll('-', '_'),
      ])
        expect(suggest(method, wrong), wrong).to.equal(named)
    })
  }

  for (const path of [
    '/',
    '//',
    '/v1',
    '/v1/wishlists',
    '/favicon.ico',
    `/v1/${'products/'.repeat(100)}`,
    '/%00',
    '/v1/carts/a/b/c/d',
  ])
    it(`is none for ${path.slice(0, 40)}`, () => {
      expect(suggest('GET', path)).to.equal(null)
    })

  it('names a route of another method when there is none of the same', () => {
    expect(suggest('PUT', '/v1/checkouts')).to.equal('POST /v1/checkout')
  })
})
