import type { UpstreamFailure } from '../../../src/errors.ts'
import type { FailedSection, SystemOutage } from './system-outage.ts'

const price = (failure: UpstreamFailure, more: Partial<FailedSection> = {}): FailedSection => ({
  name: 'price',
  system: 'pricing',
  failure,
  ...more,
})
const hang = { summary: 'no response in 703 ms' }
const drip = { summary: 'incomplete response after 703 ms' }

export const systemOutages: readonly SystemOutage[] = [
  {
    name: 'pricing hangs',
    responses: [{ failed: [price('timeout', hang)] }, { failed: [price('timeout', hang)], clientAddress: '192.0.2.2' }],
    list: ['Prices (pricing)', 'No response in 700 ms × 2'],
    page: [
      'No response in 700 ms 2',
      'slow, overloaded or hung',
      'What shoppers saw 2 product pages without a price',
      'Shoppers at least 2',
      'Within a day, ask whoever runs pricing of Acme Parts whether the cause below was removed. If it was not, the failure can return.',
      'Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100',
    ],
  },
  {
    name: 'pricing begins to respond and does not finish, until calls are paused',
    responses: [
      { failed: [price('timeout', { ...drip, staleMs: 720_000 })] },
      { failed: [price('circuit_open', { openedBy: 'incomplete response after 700 ms', staleMs: 721_000 })] },
      {
        url: '/v1/products/BP-2',
        failed: [price('circuit_open', { openedBy: 'incomplete response after 700 ms' })],
      },
    ],
    list: ['Incomplete response after 700 ms × 3', '3 (2 with an older value, 1 without one)'],
    page: [
      'Incomplete response after 700 ms 3',
      '2 of these responses made no call, because calls were paused. Such a response counts for the failure that paused the calls.',
      'The system began to respond, and did not finish in time.',
      'paused after 5 × incomplete response after 700 ms, calls in the background included',
      'The table counts responses of this section. Calls were paused after 5 × incomplete response after 700 ms',
      'Calls paused after: incomplete response after 700 ms',
      '1 product page without a price 2 product pages with a price read up to 12 min 1 s before, which may have changed since',
    ],
  },
  {
    name: 'inventory returns garbage',
    responses: [
      {
        status: 502,
        code: 'downstream_error',
        failed: [{ name: 'product', system: 'inventory', failure: 'invalid' }],
      },
    ],
    list: ['Products (inventory)', 'Unreadable response × 1'],
    page: [
      'Was the system, or a proxy in front of it, changed recently?',
      '1 product page refused with an error',
      'Whom to call about inventory of Acme Parts: Acme IT desk, +1 876 555-0102',
    ],
  },
  {
    name: 'inventory is stopped',
    responses: [
      {
        url: '/v1/products/BP-2',
        status: 504,
        code: 'downstream_timeout',
        failed: [{ name: 'product', system: 'inventory', failure: 'timeout', ...hang }],
      },
      {
        clientAddress: '192.0.2.2',
        failed: ['product', 'availability'].map((name) => ({
          ...{ name, system: 'inventory', failure: 'timeout', ...hang },
          staleMs: 600_000,
        })),
      },
    ],
    list: [
      'Outage of inventory Acme Parts, live: 2 sections from',
      ', at least 2 shoppers',
      'Availability (inventory)',
    ],
    page: [
      'Also degraded by inventory at that time',
      'No response in 700 ms 2',
      '1 product page refused with an error 1 product page with a copy of the product read up to 10 min before',
      '1 of these responses counts here as well',
      'Shoppers at least 2; at least 2 in the whole outage',
      'Shoppers at least 1; at least 2 in the whole outage',
    ],
  },
  {
    name: 'the ledger is slow, and its older taxes are served',
    responses: [{ failed: [{ name: 'tax', system: 'accounting', failure: 'timeout', ...hang, staleMs: 300_000 }] }],
    list: ['Taxes (accounting)', '1 (with an older value)'],
    page: [
      '1 of 1 response had an older value, at most 5 min old',
      'tax rates after 15 min. What is read from a mirror has another limit: the maximum age of a part, which Mirrors shows.',
      '1 product page with a tax rate read up to 5 min before, which may have changed since',
    ],
  },
  {
    name: 'the certificate of pricing has expired',
    responses: [{ failed: [price('unavailable', { summary: 'CERT_HAS_EXPIRED' })] }],
    list: ['TLS certificate expired × 1'],
    page: [
      'Renew the certificate of the system, or of the proxy in front of it.',
      'What to check or mend, if nobody has yet',
      '1 product page without a price',
      'Pricing has worked since',
      ' at the latest. But this cause',
      'But this cause (TLS certificate expired) does not go away by itself: ask whoever runs pricing of Acme Parts',
    ],
  },
  {
    name: 'the name of inventory is gone from DNS',
    responses: [
      {
        route: 'listProducts',
        url: '/v1/products?q=brake',
        status: 503,
        code: 'downstream_unavailable',
        failed: [{ name: 'data', system: 'inventory', failure: 'unavailable', summary: 'ENOTFOUND' }],
      },
    ],
    list: ['Search and lists (inventory)', 'Name not found × 1'],
    page: [
      'The host name of the system cannot be resolved. Whoever runs the system checks its entry in DNS.',
      'Whom to call about Forecourt: Forecourt on call, +1 876 555-0199',
      '1 search or list of products refused with an error',
      'Only if the name has changed, whoever runs Forecourt changes the address in the configuration of Forecourt',
      'Calls to inventory search',
      'System inventory search Inventory search is the same system as inventory.',
      'Nothing is urgent: inventory search has worked since',
      'How inventory search failed',
    ],
  },
  {
    name: 'the password of pricing is wrong for one merchant',
    merchant: 'zenith',
    responses: [{ tenant: 'zenith', failed: [price('unauthorized', { summary: 'responded 401' })] }],
    list: ['Zenith live', 'Login refused × 1'],
    page: [
      'Whoever runs the system renews the key or the password that Forecourt uses there.',
      'Prices of Zenith',
      'ask whoever runs pricing of Zenith what they changed',
      'If the key or the password has changed, whoever runs Forecourt puts the new one into the configuration of Forecourt',
      'Whom to call about pricing of Zenith: Zenith IT desk, +1 876 555-0103',
      'Whom to call about Forecourt: Forecourt on call, +1 876 555-0199',
    ],
  },
  {
    name: 'a cart has no total, because pricing fails with HTTP 500',
    responses: [
      {
        route: 'priceCart',
        method: 'POST',
        url: '/v1/carts/cart_1/price',
        cartId: 'cart_1',
        status: 502,
        code: 'downstream_error',
        failed: [{ name: 'pricing', system: 'pricing', failure: 'error', summary: 'responded 500' }],
      },
    ],
    list: ['Cart totals (pricing)', 'HTTP 500 × 1'],
    page: [
      '1 cart total refused with an error',
      'Shoppers get an error instead of the total of their cart, with its prices and promotions. Checkout is refused.',
      'Cart totals priceCart',
      'Check its log at that time.',
    ],
  },
]
