import { expect } from 'chai'
import type { Cart } from '../../../src/contract/cart/cart.ts'
import type { Api, Reply } from '../../support/api.ts'
import { until } from '../../support/until.ts'

/** A shopper, as the merchant's server sends requests for them. */
export interface CartShopper {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Creates a cart with these lines, and returns its path. */
  cart(...lines: object[]): Promise<string>
  /** Places an order with that line, and returns its id once it is confirmed. */
  order(line: object, more?: object): Promise<string>
  /** Sends a request that must succeed, and returns the body. */
  read(method: string, path: string, body?: unknown): Promise<Cart>
}

/** The default is customer C-1001 of acme's sandbox. */
export async function cartShopper(api: Api, session: Parameters<Api['shopperToken']>[0] = {}): Promise<CartShopper> {
  const { merchant = 'acme', mode = 'sandbox' } = session
  const key = await api.key({ kind: 'secret', merchant, mode })
  const token = await api.shopperToken(session)
  const ask: CartShopper['ask'] = (method, path, body, headers = {}) =>
    api.request(path, { key, method, body, headers: { 'x-storefront-shopper-token': token, ...headers } })
  const read: CartShopper['read'] = async (method, path, body) => {
    const reply = await ask(method, path, body)
    expect(reply.status, reply.text).to.be.oneOf([200, 201])
    return reply.body
  }
  async function cart(...lines: object[]): Promise<string> {
    const path = `/v1/carts/${(await read('POST', '/v1/carts')).cart_id}`
    for (const line of lines) await read('POST', `${path}/lines`, line)
    return path
  }
  async function order(line: object, more: object = {}): Promise<string> {
    const cart_id = (await cart(line)).split('/').at(-1)
    const { body, text } = await ask('POST', '/v1/checkout', { cart_id, ...more })
    expect(body.order_id, text).to.be.a('string')
    const row = api.db.selectFrom('orders').select('status').where('order_id', '=', body.order_id)
    // On a busy machine, the order may still be processing.
    await until('it is confirmed', async () => (await row.executeTakeFirst())?.status === 'CONFIRMED')
    return body.order_id
  }
  return { ask, read, cart, order }
}
