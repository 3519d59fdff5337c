import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import {
  findArchivedOrdersById,
  findArchivedOrdersOfCart,
  findCartsById,
  findOrdersById,
} from '../../storage/console-search/commerce-lookups.ts'
import type { FoundRow } from '../../storage/console-search/found-row.ts'
import {
  findDeliveriesById,
  findDeliveriesOfEvent,
  findIncidentsById,
  findRequestsById,
  findSubscriptionsById,
} from '../../storage/console-search/id-lookups.ts'
import type { Database } from '../../storage/database.ts'
import { toCartPath, toOrderPath, toRequestPath } from '../page-paths.ts'
import { describeOrderStatus } from '../text/order-status-text.ts'
import { describeSection } from '../text/section-text.ts'
import { findNumberedOrders } from './find-numbered-orders.ts'
import { type SearchMatch, toMatches } from './search-match.ts'
import type { SearchText } from './search-text.ts'

/** Finds what has an id of Forecourt, and orders by the number of the ledger. */
export async function findByIds(db: Database, search: SearchText): Promise<SearchMatch[]> {
  const { id } = search
  const [requests, orders, numbered, archived, carts, ordered] = await Promise.all([
    findRequestsById(db, id),
    findOrdersById(db, id),
    findNumberedOrders(db, search),
    findArchivedOrdersById(db, id),
    findCartsById(db, id),
    findArchivedOrdersOfCart(db, id),
  ])
  const [incidents, endpoints, deliveries, ofEvent] = await Promise.all([
    findIncidentsById(db, id),
    findSubscriptionsById(db, id),
    findDeliveriesById(db, id.toLowerCase()),
    findDeliveriesOfEvent(db, id),
  ])
  return [
    ...toMatches(
      'Request',
      requests,
      (row) => toRequestPath(row.id),
      ({ kind, status }) => `${kind}, status ${status}`,
    ),
    ...toMatches('Order', [...orders, ...numbered], toOrderHref, describeOrder),
    ...toMatches('Order', [...archived, ...ordered], toOrderHref, () => 'its details are deleted'),
    ...toMatches(
      'Cart',
      carts,
      (row) => toCartPath(row.id),
      ({ updated_at }) => `changed on ${updated_at.slice(0, 10)} (UTC)`,
    ),
    ...toMatches(
      'Incident',
      incidents,
      (row) => `/incidents/${row.id}`,
      ({ system, section }) => `${describeSection(system, section).name} (${nameSystem(system)})`,
    ),
    ...toMatches(
      'Webhook endpoint',
      endpoints,
      (row) => `/webhooks/${row.id}`,
      ({ status }) => status.toLowerCase(),
    ),
    ...toMatches(
      'Delivery',
      [...deliveries, ...ofEvent],
      (row) => `/webhooks/${row.subscription_id}/deliveries/${row.id}`,
      (row) => row.event_type,
    ),
  ]
}

const describeOrder = ({ order_number, status }: { order_number: string | null; status: string }) =>
  [order_number && `number ${order_number}`, describeOrderStatus(status).toLowerCase()].filter(Boolean).join(', ')
const toOrderHref = ({ id }: FoundRow) => toOrderPath(id)
