import { type Mistake, mistake } from './mistake.ts'

/** Keys and tokens in the wrong place or form. */
export const keyAndTokenPlaceMistakes: readonly Mistake[] = [
  mistake(
    'a key as a query parameter',
    'none',
    'GET /v1/products?api_key=PUB',
    {},
    [401, 'missing_api_key'],
    'A key in the query is not read, and would be in logs. Send your API key as Authorization: Bearer <key>.',
  ),
  mistake(
    'a key in quotation marks',
    'none',
    'GET /v1/products',
    { headers: { authorization: 'Bearer "PUB"' } },
    [401, 'invalid_api_key'],
    'The key is in quotation marks. Leave them out. Send your API key as Authorization: Bearer <key>.',
  ),
  mistake(
    'the word Bearer twice',
    'none',
    'GET /v1/products',
    { headers: { authorization: 'Bearer Bearer PUB' } },
    [401, 'invalid_api_key'],
    'Authorization has the word Bearer twice. Send your API key as Authorization: Bearer <key>.',
  ),
  mistake(
    'a key of the guide, with dots',
    'none',
    'GET /v1/products',
    { headers: { authorization: 'Bearer svc_test_pub_...' } },
    [401, 'invalid_api_key'],
    'The key has a character that no key has: is it cut off with an ellipsis, or is there something after it? Copy the whole key. Send your API key as Authorization: Bearer <key>.',
  ),
  mistake(
    'a token as X-Shopper-Token',
    'sec',
    'GET /v1/me',
    { headers: { 'x-shopper-token': 'TOKEN' } },
    [401, 'missing_shopper_token'],
    'The header X-Shopper-Token is not read. Send the shopper token as X-Storefront-Shopper-Token.',
  ),
  mistake(
    'a token in a cookie',
    'sec',
    'GET /v1/me',
    { headers: { cookie: 'shopper_token=TOKEN' } },
    [401, 'missing_shopper_token'],
    'A cookie is not read. Send the shopper token as X-Storefront-Shopper-Token.',
  ),
  mistake(
    'an idempotency key in a header of another name',
    'shop',
    'POST /v1/carts',
    { headers: { 'x-idempotency-key': 'mine-1' } },
    [201],
    [
      'Forecourt-Hint: The header X-Idempotency-Key is ignored, so a repeated request takes effect again. Send the key as Idempotency-Key.',
    ],
  ),
  mistake(
    'an idempotency key in two headers',
    'shop',
    'POST /v1/carts',
    { headers: { 'x-idempotency-key': 'mine-2', 'idempotency-key': 'mine-2' } },
    [201],
    [],
  ),
  mistake(
    'a page that is a file',
    'ownOrigin',
    'GET /v1/products',
    { headers: { origin: 'null' } },
    [403, 'origin_not_allowed'],
    'The API key does not allow the origin null: that of a page that was opened as a file, for example. Serve the page, and ask the merchant for a key that allows its origin: forecourt keys issue --origins <origin>.',
  ),
]
