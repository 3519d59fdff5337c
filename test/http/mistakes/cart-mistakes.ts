import { type Mistake, mistake } from './mistake.ts'

const line = { sku: 'BP-1001', quantity: 1 }
const lines = 'POST /v1/carts/CART/lines'
const type = (value: string) => ({ headers: { 'content-type': value } })
const notFound = [404, 'not_found'] as const

/** Bodies, quantities and carts. */
export const cartMistakes: readonly Mistake[] = [
  mistake(
    'JSON without a Content-Type',
    'shop',
    lines,
    { ...type(''), body: JSON.stringify(line) },
    [422, 'model_attributes_type'],
    [
      'body: Input should be a valid dictionary or object to extract fields from',
      'header.Content-Type: Send JSON with Content-Type: application/json. The request has no Content-Type.',
      'Forecourt-Hint: Send JSON with Content-Type: application/json. The request has no Content-Type.',
    ],
  ),
  mistake(
    'a form',
    'shop',
    lines,
    { ...type('application/x-www-form-urlencoded'), body: 'sku=BP-1001&quantity=1' },
    [422, 'model_attributes_type'],
    [
      'body: Input should be a valid dictionary or object to extract fields from',
      'header.Content-Type: Send JSON with Content-Type: application/json. The request has another Content-Type.',
      'Forecourt-Hint: Send JSON with Content-Type: application/json. The request has another Content-Type.',
    ],
  ),
  mistake(
    'an unknown Content-Encoding',
    'shop',
    lines,
    { headers: { 'content-encoding': 'zstd' }, body: line },
    [415, 'unsupported_media_type'],
    'The Content-Encoding of the request body is not supported. Send gzip, deflate, br or none, with Content-Type: application/json.',
  ),
  mistake(
    'no body',
    'shop',
    lines,
    {},
    [422, 'missing'],
    ['body: Field required', 'Forecourt-Hint: Send a body of JSON.'],
  ),
  mistake(
    'broken JSON',
    'shop',
    lines,
    { body: "{'sku': 'BP-1001'}" },
    [422, 'json_invalid'],
    [
      'body.1: JSON decode error',
      'Forecourt-Hint: Write JSON: names and strings in double quotes, no comma after the last member.',
    ],
  ),
  mistake(
    'no sku',
    'shop',
    lines,
    { body: { product_id: 'BP-1001', quantity: 1 } },
    [422, 'missing'],
    [
      'body.sku: Field required',
      'Forecourt-Hint: The member "product_id" of the body is unknown and was ignored. Did you mean "sku"?',
    ],
  ),
  mistake(
    'a misspelled member of one of many lines',
    'shop',
    lines,
    { body: { lines: [line, { sku: 'BP-1001', qauntity: 0, quantity: 0 }] } },
    [422, 'greater_than'],
    [
      'body.lines.1.quantity: Input should be greater than 0',
      'Forecourt-Hint: The member "lines.1.qauntity" of the body is unknown and was ignored. Did you mean "quantity"?',
    ],
  ),
  mistake(
    'an unknown sku',
    'shop',
    lines,
    { body: { ...line, sku: 'BP-9999' } },
    [422, 'unknown_sku'],
    ['body.sku: No product with this SKU exists. Send a sku from GET /v1/products, in the same letter case'],
  ),
  mistake(
    'no quantity',
    'shop',
    lines,
    { body: { sku: 'BP-1001' } },
    [422, 'missing'],
    ['body.quantity: Field required'],
  ),
  mistake(
    'quantity 0',
    'shop',
    lines,
    { body: { ...line, quantity: 0 } },
    [422, 'greater_than'],
    ['body.quantity: Input should be greater than 0'],
  ),
  mistake(
    'a quantity in words',
    'shop',
    lines,
    { body: { ...line, quantity: 'two' } },
    [422, 'float_parsing'],
    [
      'body.quantity: Input should be a valid number, unable to parse string as a number',
      'Forecourt-Hint: Write a number in digits, with a point before decimals.',
    ],
  ),
  mistake(
    'an enormous quantity',
    'shop',
    lines,
    { body: { ...line, quantity: 1e9 } },
    [422, 'less_than_equal'],
    ['body.quantity: Input should be less than or equal to 999999'],
  ),
  mistake(
    'a unit that it is not sold in',
    'shop',
    lines,
    { body: { sku: 'OL-1001', order_uom: 'box', order_quantity: 1 } },
    [422, 'unknown_unit'],
    ['body.order_uom: This product is not sold in this unit. Its units are: litre, can of 4 l, drum of 200 l'],
  ),
  mistake(
    'an unknown cart',
    'shop',
    'GET /v1/carts/12345',
    {},
    notFound,
    'There is no such cart. Send the cart_id of a cart that belongs to the same shopper and mode, or create one: POST /v1/carts.',
  ),
  mistake(
    'the cart of another shopper',
    'shop',
    'GET /v1/carts/OTHERS',
    {},
    notFound,
    'There is no such cart. Send the cart_id of a cart that belongs to the same shopper and mode, or create one: POST /v1/carts.',
  ),
  mistake(
    'an old If-Match',
    'shop',
    lines,
    { headers: { 'if-match': '"99"' }, body: line },
    [412, 'cart_version_mismatch'],
    'The cart has changed. Read it again, and send its version as If-Match.',
  ),
  mistake(
    'an empty Idempotency-Key',
    'shop',
    lines,
    { headers: { 'idempotency-key': '' }, body: line },
    [422, 'idempotency_key_invalid'],
    ['header.Idempotency-Key: Idempotency-Key should be 1 to 255 visible ASCII characters, bare or in double quotes'],
  ),
  mistake(
    'an Idempotency-Key for another request',
    'shop',
    lines,
    { headers: { 'idempotency-key': 'USED' }, body: line },
    [422, 'idempotency_key_reused'],
    ['header.Idempotency-Key: This Idempotency-Key was sent before with another request. Send a new key for this one'],
  ),
]
