import { expect } from 'chai'
import type { Cart } from '../../../src/contract/cart.ts'
import type { Api, Reply } from '../../support/api.ts'
import { until } from '../../support/until.ts'

/** A shopper whose shop's server asks for them. */
export interface CartShopper {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** The path of a new cart with these lines. */
  cart(...lines: object[]): Promise<string>
  /** The id of a new order of that line, which the ledger has confirmed. */
  order(line: object, more?: object): Promise<string>
  /** The body of an answer that must be good. */
  read(method: string, path: string, body?: unknown): Promise<Cart>
}

/** By default customer C-1001 of acme's sandbox. */
export async function cartShopper(api: Api, session: Parameters<Api['shopper']>[0] = {}): Promise<CartShopper> {
  const { merchant = 'acme', mode = 'sandbox' } = session
  const key = await api.key({ kind: 'secret', merchant, mode })
  const token = await api.shopper(session)
  const ask: CartShopper['ask'] = (method, path, body, headers = {}) =>
    api.ask(path, { key, method, body, headers: { 'x-storefront-shopper-token': token, ...headers } })
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
    // On a busy machine it may still be processing.
    await until('it is confirmed', async () => (await row.executeTakeFirst())?.status === 'CONFIRMED')
    return body.order_id
  }
  return { ask, read, cart, order }
}
