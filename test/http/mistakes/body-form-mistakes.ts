import { type Mistake, mistake } from './mistake.ts'

/** Bodies in another form. */
export const bodyFormMistakes: readonly Mistake[] = [
  mistake(
    'a body of null',
    'shop',
    'POST /v1/carts/CART/lines',
    { headers: { 'content-type': 'application/json' }, body: 'null' },
    [422, 'missing'],
    ['body: Field required', 'Forecourt-Hint: Send a body of JSON, such as {"sku": ..., "quantity": ...}.'],
  ),
  mistake(
    'a line in a member',
    'shop',
    'POST /v1/carts/CART/lines',
    { body: { data: { sku: 'BP-1001', quantity: 1 } } },
    [422, 'missing'],
    [
      'body.sku: Field required',
      'Forecourt-Hint: The member "data" of the body is unknown and was ignored. Send its members, such as "sku", beside it instead of in it.',
    ],
  ),
  mistake(
    'a cart in a member',
    'shop',
    'POST /v1/checkout',
    { body: { cart: { cart_id: 'CART' } } },
    [422, 'missing'],
    [
      'body.cart_id: Field required',
      'Forecourt-Hint: The member "cart" of the body is unknown and was ignored. Send its members, such as "cart_id", beside it instead of in it.',
    ],
  ),
  mistake(
    'a quantity of NaN',
    'shop',
    'POST /v1/carts/CART/lines',
    { body: { sku: 'BP-1001', quantity: null } },
    [422, 'missing'],
    [
      'body.quantity: Field required',
      'Forecourt-Hint: The member "quantity" of the body is null, which counts as missing. JSON.stringify writes NaN and Infinity as null.',
    ],
  ),
  mistake(
    'a quantity that is less than one can',
    'shop',
    'POST /v1/carts/CART/lines',
    { body: { sku: 'OL-1001', order_uom: 'can of 4 l', quantity: 3 } },
    [422, 'unit_minimum'],
    [
      'body.quantity: Quantity should be at least 1 × can of 4 l. Without order_quantity, quantity counts the base unit: one can of 4 l is 4 × litre',
    ],
  ),
  mistake(
    'items of a batch',
    'pub',
    'POST /v1/availability/batch',
    { body: { items: [{ sku: 'BP-1001' }] } },
    [422, 'missing'],
    [
      'body.skus: Field required',
      'Forecourt-Hint: The member "items" of the body is unknown and was ignored. Did you mean "skus"?',
    ],
  ),
  mistake(
    'a quantity of 0 for a line',
    'shop',
    'PATCH /v1/carts/FULL/lines/LINE',
    { body: { quantity: 0 } },
    [422, 'greater_than'],
    [
      'body.quantity: Input should be greater than 0',
      'Forecourt-Hint: To remove a line of a cart: DELETE /v1/carts/{cart_id}/lines/{line_id}.',
    ],
  ),
  mistake(
    'another sku for a line',
    'shop',
    'PATCH /v1/carts/FULL/lines/LINE',
    { body: { sku: 'BP-1002', quantity: 1 } },
    [200],
    [
      'Forecourt-Hint: The member "sku" of the body is unknown and was ignored. A line keeps its sku: remove the line, and add one with another sku.',
    ],
  ),
  mistake(
    'an idempotency key in the body',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', idempotency_key: 'abc' } },
    [409, 'cart_empty'],
    [
      'The cart is empty. Add a line first: POST /v1/carts/{cart_id}/lines.',
      'Forecourt-Hint: The member "idempotency_key" of the body is unknown and was ignored. Send it as the header Idempotency-Key.',
    ],
  ),
  mistake(
    'a cancellation without a body',
    'shop',
    'POST /v1/orders/SO-1/cancel',
    {},
    [422, 'missing'],
    ['body: Field required', 'Forecourt-Hint: Send a body of JSON, such as {"reason": ..., "note": ...}.'],
  ),
  mistake(
    'a refresh without a body',
    'sec',
    'POST /v1/shoppers/refresh',
    {},
    [422, 'missing'],
    ['body: Field required', 'Forecourt-Hint: Send a body of JSON, such as {"refresh_token": ...}.'],
  ),
  mistake(
    'a logout without a body',
    'shop',
    'POST /v1/shoppers/logout',
    {},
    [422, 'missing'],
    ['body: Field required', 'Forecourt-Hint: Send a body of JSON, such as {"refresh_token": ...}.'],
  ),
  mistake(
    'a wrong token of an email',
    'sec',
    'POST /v1/shoppers/verify',
    { body: { token: 'abc', password: 'long-enough' } },
    [422, 'token_invalid'],
    [
      'body.token: The token is invalid, expired or already used. Request a new email: POST /v1/shoppers or POST /v1/shoppers/password-reset',
    ],
  ),
  mistake(
    'a second subscription for a URL',
    'sec',
    'POST /v1/webhooks',
    { body: { endpoint_url: 'https://shop.example/taken', event_types: ['*'] } },
    [409, 'subscription_exists'],
    'A subscription for this URL already exists: subscription_id names it. Change it: PATCH /v1/webhooks/{subscription_id}.',
  ),
  mistake(
    'a checkout of a product that is sold out',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'SOLD' } },
    [409, 'line_unavailable'],
    'A line of this cart is not available for sale. Remove the lines whose SKUs are in skus, and check out again.',
  ),
]
