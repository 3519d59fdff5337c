import { expect } from 'chai'
import { createForecourt as createBrowserClient } from '../../src/client/browser.ts'
import { replayOutcome } from '../../src/client/msw.ts'
import { createForecourt, ForecourtError } from '../../src/client/server.ts'

const key = 'svc_test_sec_x'
const url = 'http://api.example'

describe('a mistake in the use of the client', () => {
  for (const wrong of ['', 'undefined', 'api.example', 'ftp://api.example'])
    it(`is refused at once: the url "${wrong}"`, () => {
      const message = `The url "${wrong}" is not an http or https address`
      expect(() => createForecourt({ url: wrong, key })).to.throw(TypeError, message)
      expect(() => createBrowserClient({ url: wrong, key: 'svc_test_pub_x' })).to.throw(TypeError, message)
    })

  it('is refused at once: a url with /v1', () => {
    for (const end of ['/v1', '/v1/'])
      expect(() => createForecourt({ url: url + end, key })).to.throw(TypeError, 'Leave out /v1')
    for (const end of ['', '/', '/forecourt/', '/v1/shop']) createForecourt({ url: url + end, key })
  })

  it('is refused with the known names: an outcome that does not exist', () => {
    expect(() => replayOutcome('nope' as never)).to.throw(
      TypeError,
      /^There is no outcome "nope"\. The outcomes are: .*product_without_price/,
    )
  })
})

describe('an error of the client', () => {
  async function errorOf(problem: object) {
    const fetch = async () => new Response(JSON.stringify({ detail: 'No.', ...problem }), { status: 409 })
    const shop = createForecourt({ url, key, fetch })
    const error = await shop.createWebhook({ body: {} as never }).catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(ForecourtError)
    return error as ForecourtError
  }

  it('has the order that a cart became, and the subscription that exists', async () => {
    const converted = await errorOf({ code: 'cart_converted', order_id: 'ord_1' })
    expect([converted.orderId, converted.subscriptionId]).to.deep.equal(['ord_1', null])
    const exists = await errorOf({ code: 'subscription_exists', subscription_id: 'sub_1' })
    expect([exists.orderId, exists.subscriptionId]).to.deep.equal([null, 'sub_1'])
  })
})
