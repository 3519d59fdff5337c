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
})
