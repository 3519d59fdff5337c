import { type Mistake, mistake } from './mistake.ts'

const notFound = [404, 'not_found'] as const

/** Checkout, orders and invoices. */
export const orderMistakes: readonly Mistake[] = [
  mistake(
    'checkout without a cart',
    'shop',
    'POST /v1/checkout',
    { body: {} },
    [422, 'missing'],
    ['body.cart_id: Field required'],
  ),
  mistake(
    'checkout of an unknown cart',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: '12345' } },
    notFound,
    'There is no such cart. Send the cart_id of a cart that belongs to the same shopper and mode, or create one: POST /v1/carts.',
  ),
  mistake(
    'checkout of an empty cart',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART' } },
    [409, 'cart_empty'],
    'The cart is empty. Add a line first: POST /v1/carts/{cart_id}/lines.',
  ),
  mistake(
    'an unknown way to pay',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', payment_method: 'PAYPAL' } },
    [422, 'literal_error'],
    ["body.payment_method: Input should be 'CREDIT_TERMS' or 'CASH_ON_DELIVERY'"],
  ),
  mistake(
    'a country in small letters',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', shipping_address: { line1: '1 Main St', city: 'Kingston', country: 'jm' } } },
    [422, 'string_pattern_mismatch'],
    ['body.shipping_address.country: Input should be a country code of two capital letters, such as JM'],
  ),
  mistake(
    'an amount that is a number',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', expected_total: { amount: 12.5, currency: 'JMD' } } },
    [422, 'string_type'],
    [
      'body.expected_total.amount: Input should be a valid string',
      'Forecourt-Hint: Write a string in double quotes, even if it is a number: "12.50".',
    ],
  ),
  mistake(
    'an amount with a comma',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', expected_total: { amount: '1,200', currency: 'JMD' } } },
    [422, 'string_pattern_mismatch'],
    ['body.expected_total.amount: Input should be an amount as text, such as "1234.50"'],
  ),
  mistake(
    'a date with slashes',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'CART', requested_date: '12/31/2026' } },
    [422, 'date_from_datetime_parsing'],
    [
      'body.requested_date: Input should be a valid date or datetime, invalid character in year',
      'Forecourt-Hint: Write a date as 2026-01-31.',
    ],
  ),
  mistake(
    'a date in the past',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'FULL', requested_date: '2020-01-01' } },
    [422, 'date_in_past'],
    ['body.requested_date: Date should be TODAY or later'],
  ),
  mistake(
    'an unknown address',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'FULL', shipping_address_id: '1' } },
    [422, 'unknown_address'],
    [
      'body.shipping_address_id: The account has no such address. Send an address_id from GET /v1/me, or a shipping_address',
    ],
  ),
  mistake(
    'another currency',
    'shop',
    'POST /v1/checkout',
    { body: { cart_id: 'FULL', expected_total: { amount: '10', currency: 'USD' } } },
    [422, 'currency_mismatch'],
    ['body.expected_total.currency: Prices here are in JMD: send the total of the cart'],
  ),
  mistake(
    'an unknown order',
    'shop',
    'GET /v1/orders/SO-1',
    {},
    notFound,
    'There is no such order. Send an order_id (not an order_number) from GET /v1/orders, for the same shopper.',
  ),
  mistake(
    'an unknown invoice',
    'shop',
    'GET /v1/invoices/INV-1',
    {},
    notFound,
    'There is no such invoice. Send an invoice_id (not an invoice_number) from GET /v1/invoices, for the same shopper.',
  ),
]
