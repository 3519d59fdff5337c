import { type Mistake, mistake } from './mistake.ts'

const line = { sku: 'BP-1001', quantity: 1 }

/** Members that a line, a promotion or a checkout of a cart does not have. */
export const cartMemberMistakes: readonly Mistake[] = [
  mistake(
    'a unit under its name in responses',
    'shop',
    'POST /v1/carts/SPARE/lines',
    { body: { sku: 'OL-1001', quantity: 4, uom: 'can of 4 l' } },
    [200],
    [
      'Forecourt-Hint: The member "uom" of the body is unknown and was ignored. Did you mean "order_uom"? Send it with order_quantity: quantity counts the base unit.',
    ],
  ),
  mistake(
    'a unit of one of many lines',
    'shop',
    'POST /v1/carts/SPARE/lines',
    { body: { lines: [line, { sku: 'OL-1001', quantity: 4, unit: 'can of 4 l' }] } },
    [200],
    [
      'Forecourt-Hint: The member "lines.1.unit" of the body is unknown and was ignored. Did you mean "order_uom"? Send it with order_quantity: quantity counts the base unit.',
    ],
  ),
  mistake(
    'the price of a line',
    'shop',
    'POST /v1/carts/SPARE/lines',
    { body: { ...line, unit_price: '1.00' } },
    [200],
    [
      'Forecourt-Hint: The member "unit_price" of the body is unknown and was ignored. Prices come from the back office of the merchant. Omit it.',
    ],
  ),
  mistake(
    'the customer of a line',
    'shop',
    'POST /v1/carts/SPARE/lines',
    { body: { ...line, customer_id: 'C-1003' } },
    [200],
    [
      'Forecourt-Hint: The member "customer_id" of the body is unknown and was ignored. The shopper token says who orders. Omit it.',
    ],
  ),
  mistake(
    'the customer of a checkout',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', customer_id: 'C-1003' } },
    [409, 'cart_empty'],
    [
      'The cart is empty. Add a line first: POST /v1/carts/{cart_id}/lines.',
      'Forecourt-Hint: The member "customer_id" of the body is unknown and was ignored. The shopper token says who orders. Omit it.',
    ],
  ),
  mistake(
    'a code as promo',
    'shop',
    'POST /v1/carts/CART/promotions',
    { body: { promo: 'SAVE10' } },
    [422, 'missing'],
    [
      'body.code: Field required',
      'Forecourt-Hint: The member "promo" of the body is unknown and was ignored. Did you mean "code"?',
    ],
  ),
  mistake(
    'a code as promotion',
    'shop',
    'POST /v1/carts/CART/promotions',
    { body: { promotion: 'SAVE10' } },
    [422, 'missing'],
    [
      'body.code: Field required',
      'Forecourt-Hint: The member "promotion" of the body is unknown and was ignored. Did you mean "code"?',
    ],
  ),
  mistake(
    'a code as coupon',
    'shop',
    'POST /v1/carts/CART/promotions',
    { body: { coupon: 'SAVE10' } },
    [422, 'missing'],
    [
      'body.code: Field required',
      'Forecourt-Hint: The member "coupon" of the body is unknown and was ignored. Did you mean "code"?',
    ],
  ),
  mistake(
    'a code as discount_code',
    'shop',
    'POST /v1/carts/CART/promotions',
    { body: { discount_code: 'SAVE10' } },
    [422, 'missing'],
    [
      'body.code: Field required',
      'Forecourt-Hint: The member "discount_code" of the body is unknown and was ignored. Did you mean "code"?',
    ],
  ),
]
