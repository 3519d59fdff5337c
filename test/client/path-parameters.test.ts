import { expect } from 'chai'
import { createForecourt } from '../../src/client/server.ts'

const wrong: [value: string, message: string][] = [
  ['', 'cart_id is missing in the input, an object'],
  ['.', 'cart_id must not be "."'],
  ['..', 'cart_id must not be ".."'],
]

describe('the path parameters of the client', () => {
  const asked: string[] = []
  const fetch = (url: unknown) => Promise.resolve(new Response(`{"n":${asked.push(String(url))}}`))
  const shop = createForecourt({ url: 'http://api.example', key: 'svc_test_sec_x', fetch })
  beforeEach(() => asked.splice(0))

  for (const [value, message] of wrong)
    it(`refuse "${value}", which would make another call`, async () => {
      const error = await shop.priceCart({ cart_id: value }).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(TypeError).with.property('message', message)
      expect(asked).to.deep.equal([])
    })

  it('are encoded', async () => {
    for (const cart_id of ['../orders', 'a.b', '...']) await shop.priceCart({ cart_id })
    const base = 'http://api.example/v1/carts'
    expect(asked).to.deep.equal([`${base}/..%2Forders/price`, `${base}/a.b/price`, `${base}/.../price`])
  })

  it('keep the query beside them in browsers without URLSearchParams.size, such as Safari 16', async () => {
    const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size')!
    Reflect.deleteProperty(URLSearchParams.prototype, 'size')
    try {
      await shop.listProducts({ q: 'brake', brand: ['a', 'b'] })
      await shop.listProducts()
    } finally {
      Object.defineProperty(URLSearchParams.prototype, 'size', size)
    }
    const list = 'http://api.example/v1/products'
    expect(asked).to.deep.equal([`${list}?q=brake&brand=a&brand=b`, list])
  })
})
