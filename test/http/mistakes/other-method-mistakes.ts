import { type Mistake, mistake } from './mistake.ts'

/** Methods that a path does not have. */
export const otherMethodMistakes: readonly Mistake[] = [
  mistake(
    'a change of the account',
    'shop',
    'PATCH /v1/me',
    { body: { first_name: 'A' } },
    [405, 'method_not_allowed'],
    'This path does not support PATCH. Send GET. The account is changed in the back office of the merchant.',
  ),
  mistake(
    'DELETE for a cart',
    'shop',
    'DELETE /v1/carts/CART',
    {},
    [405, 'method_not_allowed'],
    'This path does not support DELETE. Send GET. To empty a cart, remove its lines: DELETE /v1/carts/{cart_id}/lines/{line_id}.',
  ),
  mistake(
    'a change of a cart',
    'shop',
    'PATCH /v1/carts/CART',
    { body: { lines: [] } },
    [405, 'method_not_allowed'],
    'This path does not support PATCH. Send GET. To change the lines: POST /v1/carts/{cart_id}/lines, or PATCH /v1/carts/{cart_id}/lines/{line_id}.',
  ),
  mistake(
    'a list of the lines',
    'shop',
    'GET /v1/carts/CART/lines',
    {},
    [405, 'method_not_allowed'],
    'This path does not support GET. Send POST. To read the lines: GET /v1/carts/{cart_id}.',
  ),
  mistake(
    'a list of the shoppers',
    'sec',
    'GET /v1/shoppers',
    {},
    [405, 'method_not_allowed'],
    'This path does not support GET. Send POST. To read the account of the shopper: GET /v1/me.',
  ),
  mistake(
    'a link in an email that calls the API',
    'sec',
    'GET /v1/shoppers/verify?token=abc',
    {},
    [405, 'method_not_allowed'],
    'This path does not support GET. Send POST. The token of the email goes into the body: {"token": ..., "password": ...}.',
  ),
  mistake(
    'a search with POST',
    'pub',
    'POST /v1/products',
    { body: { q: 'brake' } },
    [405, 'method_not_allowed'],
    'This path does not support POST. Send GET. To search: GET /v1/products?q={text}.',
  ),
  mistake(
    'a search of its own with POST',
    'pub',
    'POST /v1/products/search',
    { body: { q: 'brake' } },
    [405, 'method_not_allowed'],
    'This path does not support POST. Send GET. To search: GET /v1/products?q={text}.',
  ),
]
