import { expect } from 'chai'
import type { Context, Middleware } from '../../src/http/context.ts'
import { createRouteDispatcher } from '../../src/http/dispatch-routes.ts'

describe('the dispatcher of routes', () => {
  const calls: string[] = []
  const note =
    (name: string): Middleware =>
    async (_, next) => {
      calls.push(name)
      await next()
    }
  const end =
    (name: string): Middleware =>
    async (ctx) => {
      calls.push(`${name} ${JSON.stringify((ctx as Context & { params: object }).params)}`)
    }
  const router = createRouteDispatcher([
    { method: 'GET', path: '/v1/carts/current', middlewares: [note('one'), note('two'), end('current')] },
    { method: 'GET', path: '/v1/carts/:cart_id', middlewares: [end('cart')] },
    { method: 'PATCH', path: '/v1/carts/:cart_id', middlewares: [end('change')] },
    { method: 'GET', path: '/v1/carts/:cart_id/lines/:line_id', middlewares: [end('line')] },
    { method: 'GET', path: '/v1/a.b', middlewares: [end('point')] },
  ])

  async function dispatch(method: string, path: string): Promise<string[]> {
    calls.length = 0
    await router.dispatch({ method, path } as never, async () => void calls.push('later'))
    return [...calls]
  }

  it('runs the middlewares of the first route with the path and the method', async () => {
    expect(await dispatch('GET', '/v1/carts/current')).to.deep.equal(['one', 'two', 'current {}'])
    expect(await dispatch('HEAD', '/v1/carts/c-1')).to.deep.equal(['cart {"cart_id":"c-1"}'])
    expect(await dispatch('PATCH', '/v1/carts/current')).to.deep.equal(['change {"cart_id":"current"}'])
    expect(await dispatch('GET', '/v1/carts/c-1/lines/2')).to.deep.equal(['line {"cart_id":"c-1","line_id":"2"}'])
  })

  it('decodes parameters, as far as they are encoded', async () => {
    expect(await dispatch('GET', '/v1/carts/a%2Fb%20c')).to.deep.equal(['cart {"cart_id":"a/b c"}'])
    expect(await dispatch('GET', '/v1/carts/100%')).to.deep.equal(['cart {"cart_id":"100%"}'])
  })

  it('passes on a request with another path or method', async () => {
    for (const path of ['/v1/carts', '/v1/carts/', '/v1/carts/1/', '/V1/carts/1', '/v1/carts/1/lines', '/v1/aXb', '/x'])
      expect(await dispatch('GET', path), path).to.deep.equal(['later'])
    expect(await dispatch('DELETE', '/v1/carts/1')).to.deep.equal(['later'])
  })

  it('lists the methods of a path', () => {
    const listed = router.match('/v1/carts/current', 'PUT').path.map(({ path, methods }) => [path, methods])
    expect(listed).to.deep.equal([
      ['/v1/carts/current', ['HEAD', 'GET']],
      ['/v1/carts/:cart_id', ['HEAD', 'GET']],
      ['/v1/carts/:cart_id', ['PATCH']],
    ])
  })
})
