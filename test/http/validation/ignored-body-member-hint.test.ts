import { expect } from 'chai'
import { AddCartLinesIn } from '../../../src/contract/cart/add-cart-lines.ts'
import { CheckoutIn } from '../../../src/contract/orders/checkout.ts'
import { createIgnoredBodyMemberHint } from '../../../src/http/validation/ignored-body-member-hint.ts'
import { type Api, startApi } from '../../support/api.ts'

const hintOf = (name: string, similar: string) =>
  `The member "${name}" of the body is unknown and was ignored. Did you mean "${similar}"?`

describe('a body with an unknown member', () => {
  const atCheckout = createIgnoredBodyMemberHint(CheckoutIn)
  const atLines = createIgnoredBodyMemberHint(AddCartLinesIn)

  for (const [body, name, similar] of [
    [{ cart_id: 'c', payment_methd: 'CASH_ON_DELIVERY' }, 'payment_methd', 'payment_method'],
    [{ cartId: 'c' }, 'cartId', 'cart_id'],
    [{ cart_id: 'c', expectd_total: { amount: '1', currency: 'JMD' } }, 'expectd_total', 'expected_total'],
    [{ cart_id: 'c', expected_total: { amount: '1', curency: 'JMD' } }, 'expected_total.curency', 'currency'],
    [{ cart_id: 'c', shipping_address: { zip: '1' } }, 'shipping_address.zip', 'postal_code'],
    [{ cart_id: 'c', x: 1, comment: 'ring twice' }, 'comment', 'notes'],
  ] as const)
    it(`has a hint at checkout: ${name}`, () => expect(atCheckout(body)).to.equal(hintOf(name, similar)))

  it('has a hint at one line, and at each of many', () => {
    expect(atLines({ sku: 'A', qty: 2 })).to.equal(hintOf('qty', 'quantity'))
    expect(atLines({ items: [] })).to.equal(hintOf('items', 'lines'))
    expect(atLines({ lines: [{ sku: 'A' }, { sku: 'B', qauntity: 1 }] })).to.equal(
      hintOf('lines.1.qauntity', 'quantity'),
    )
  })

  it('has a hint when one line hides many', () => {
    expect(atLines({ sku: 'A', quantity: 1, lines: [{ sku: 'B' }] })).to.equal(
      'The member "lines" of the body was ignored, because of the member "sku". Send only one of them.',
    )
  })

  it('has none without a resembling member', () => {
    const nested = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    for (const body of [
      { cart_id: 'c', tenant_id: 't', store_id: 's', colour: 1 },
      [],
      nested,
      'cart_idd',
      null,
      undefined,
    ])
      expect(atCheckout(body)).to.equal(null)
  })

  it('has none for names that do not fit into a header, and ends after many unknown names', () => {
    expect(atCheckout({ 'cart\r\n_id': 1, câřt_id: 1 })).to.equal(null)
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`x${at}`, at]))
    expect(atCheckout({ ...many, payment_methd: 1 })).to.equal(null)
  })
})

describe('Forecourt-Hint', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  it('is sent with a successful response to such a body', async () => {
    const { status, headers } = await api.request('/v1/availability/batch', {
      key: await api.key(),
      body: { skus: ['BP-1001'], ids: ['BP-1002'] },
    })
    expect([status, headers['forecourt-hint']]).to.deep.equal([200, hintOf('ids', 'skus')])
  })

  it('says that X-Storefront-Client-IP is not an address, for the keys whose header is read', async () => {
    const send = async (kind: 'secret' | 'publishable', address: string) => {
      const { status, headers } = await api.request('/v1/ping', {
        key: await api.key({ kind }),
        headers: { 'x-storefront-client-ip': address },
      })
      return [status, headers['forecourt-hint']]
    }
    expect(await send('secret', 'not-an-ip')).to.deep.equal([
      200,
      'X-Storefront-Client-IP is not an IP address and was ignored. Send the address of the shopper, such as 203.0.113.7.',
    ])
    expect(await send('secret', '203.0.113.7')).to.deep.equal([200, undefined])
    expect(await send('publishable', 'not-an-ip')).to.deep.equal([200, undefined])
  })
})
