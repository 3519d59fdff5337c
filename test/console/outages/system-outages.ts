import type { RequestOutcome } from '../../../src/diagnostics/request-outcome.ts'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import type { SourceName } from '../../../src/ports/system.ts'
import { type SectionTrace, toSectionTrace } from '../../../src/sections/section-trace.ts'

/** A failed section as the API traces it, so that its kind, code and cause are those of the real failure. */
interface FailedSection {
  name: string
  system: SourceName
  failure: UpstreamFailure
  /** What the client says of the failure: an error code of Node.js, or `no response in 700 ms`. */
  summary?: string
  /** For an open circuit. */
  openedBy?: string
  /** The age of the older value that shoppers got. */
  staleMs?: number
}

export interface SystemOutage {
  name: string
  merchant?: string
  /** How its responses failed, one after the other. */
  responses: readonly (Partial<RequestOutcome> & { failed: readonly FailedSection[] })[]
  /** The list of incidents around the time, and the page of the incident: what failed, whom it hit, what shoppers saw, what to do. */
  list: readonly string[]
  page: readonly string[]
}

export function traceFailure(
  { name, system, failure, summary, openedBy, staleMs }: FailedSection,
  now: number,
): SectionTrace {
  const error = new UpstreamError(failure, 'the text of the system', {
    ...(summary && { summary }),
    ...(openedBy && { openedBy }),
  })
  error.system = system
  const stale = staleMs !== undefined
  return toSectionTrace(
    name,
    { value: null, error, stale, partial: false, asOf: stale ? now - staleMs : 0, system },
    700,
  )
}

const price = (failure: UpstreamFailure, more: Partial<FailedSection> = {}): FailedSection => ({
  name: 'price',
  system: 'pricing',
  failure,
  ...more,
})
const hang = { summary: 'no response in 703 ms' }
const PRICES_EFFECT = 'Prices are missing or out of date on product pages, in search and in lists.'

export const systemOutages: readonly SystemOutage[] = [
  {
    name: 'pricing hangs',
    responses: [{ failed: [price('timeout', hang)] }, { failed: [price('timeout', hang)], clientAddress: '192.0.2.2' }],
    list: ['Prices (pricing)', 'No response in 700 ms × 2'],
    page: ['No response in 700 ms 2', 'slow, overloaded or hung', PRICES_EFFECT, 'Shoppers 2'],
  },
  {
    name: 'pricing responds byte by byte, until calls are paused',
    responses: [
      { failed: [price('timeout', { ...hang, staleMs: 720_000 })] },
      { failed: [price('circuit_open', { openedBy: 'no response in 700 ms', staleMs: 720_000 })] },
      { failed: [price('circuit_open', { openedBy: 'no response in 700 ms' })] },
    ],
    list: ['No response in 700 ms × 3', '3 2 with an older value, 1 with nothing'],
    page: ['No response in 700 ms 3', 'Calls paused circuit_open', 'at most 12 min old; 1 had nothing'],
  },
  {
    name: 'inventory returns garbage',
    responses: [{ status: 502, failed: [{ name: 'product', system: 'inventory', failure: 'invalid' }] }],
    list: ['Products (inventory)', 'Unreadable response × 1'],
    page: ['Was the system, or a proxy in front of it, changed recently?', 'Product pages are missing or out of date.'],
  },
  {
    name: 'inventory is stopped',
    responses: [
      {
        failed: ['product', 'availability'].map((name) => ({ name, system: 'inventory', failure: 'timeout', ...hang })),
      },
    ],
    list: ['Outage of inventory Acme Parts, live: 2 sections since', 'Availability bands (inventory)'],
    page: ['Also degraded by inventory at that time', 'No response in 700 ms 1'],
  },
  {
    name: 'the ledger is slow, and its older taxes are served',
    responses: [{ failed: [{ name: 'tax', system: 'accounting', failure: 'timeout', ...hang, staleMs: 300_000 }] }],
    list: ['Taxes (accounting)', '1 with an older value'],
    page: ['1 of 1 response had an older value, at most 5 min old', 'a tax rate that is out of date'],
  },
  {
    name: 'the ledger refuses connections',
    responses: [
      {
        route: 'checkout',
        status: 202,
        customerId: 'C-7',
        failed: [{ name: 'checkout', system: 'accounting', failure: 'unavailable', summary: 'ECONNREFUSED' }],
      },
    ],
    list: ['Checkout (accounting)', 'Connection refused × 1'],
    page: ['Nothing accepts connections at the address', 'shoppers see that it is being processed', 'Shoppers 1'],
  },
  {
    name: 'the certificate of pricing has expired',
    responses: [{ failed: [price('unavailable', { summary: 'CERT_HAS_EXPIRED' })] }],
    list: ['TLS certificate expired × 1'],
    page: ['Renew the certificate of the system, or of the proxy in front of it.', PRICES_EFFECT],
  },
  {
    name: 'the name of inventory is gone from DNS',
    responses: [{ failed: [{ name: 'data', system: 'inventory', failure: 'unavailable', summary: 'ENOTFOUND' }] }],
    list: ['Search and lists (inventory)', 'Name not found × 1'],
    page: ['The host name of the system cannot be resolved. Check DNS', 'Search results, categories and product lists'],
  },
  {
    name: 'the password of pricing is wrong for one merchant',
    merchant: 'zenith',
    responses: [{ tenant: 'zenith', failed: [price('unauthorized', { summary: 'responded 401' })] }],
    list: ['Zenith live', 'Login refused × 1'],
    page: ['Renew the key or the password of Forecourt in the system', 'Prices of Zenith'],
  },
  {
    name: 'promotions do not apply, because pricing rejects them',
    responses: [
      {
        route: 'priceCart',
        cartId: 'cart_1',
        failed: [{ name: 'promotions', system: 'pricing', failure: 'error', summary: 'responded 500' }],
      },
    ],
    list: ['Promotions (pricing)', 'HTTP 500 × 1'],
    page: ['Promotions do not apply.', 'Carts 1', 'Cart totals priceCart', 'Check its log at that time.'],
  },
]
