import {
  findArchivedOrdersById,
  findArchivedOrdersOfCart,
  findCartsById,
  findCustomersById,
  findOrdersById,
  findOrdersByNumber,
} from '../../storage/console-search/commerce-lookups.ts'
import {
  type FoundRow,
  findDeliveriesById,
  findDeliveriesOfEvent,
  findIncidentsById,
  findProductsBySku,
  findRequestsById,
  findSubscriptionsById,
} from '../../storage/console-search/id-lookups.ts'
import type { Database } from '../../storage/database.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { isErrorCode } from '../text/error-code-text.ts'
import { describeOrderStatus } from '../text/order-status-text.ts'
import { findKeyMatches, findShopperMatches } from './find-private-matches.ts'
import { findProductsByNumber, type SearchedMirror } from './find-products-by-number.ts'
import type { SearchText } from './search-text.ts'
import { toCartPath, toCodePath, toCustomerPath, toOrderPath, toProductPath, toRequestPath } from './support-paths.ts'

/** One thing that a search found. */
export interface SearchMatch {
  kind: string
  name: string
  href: string
  /** Further words about it: its label, its status. */
  note?: string | null
  row: FoundRow | null
}

export interface SearchParts {
  db: Database
  /** They find products by a number as the shop's search does. */
  mirrors: readonly SearchedMirror[]
  merchants: MerchantDirectory
}

/** Finds everything that has this id, name or number. Things of merchants that this Forecourt does not serve are not found. */
export async function findMatches(parts: SearchParts, search: SearchText): Promise<SearchMatch[]> {
  const { db, merchants } = parts
  if (search.id === '') return []
  const found = search.isPublic
    ? await Promise.all([
        findByIds(db, search.id),
        findByNames(parts, search),
        findKeyMatches(db, search),
        findShopperMatches(db, search),
      ])
    : await Promise.all([findKeyMatches(db, search), findShopperMatches(db, search)])
  const matches = found.flat().filter(({ row }) => merchants.shows(row?.tenant_id ?? null))
  return [...new Map(matches.map((match) => [`${match.kind}\n${match.href}`, match])).values()]
}

const toMatches = <R extends FoundRow>(
  kind: string,
  rows: readonly R[],
  toPath: (row: R) => string,
  toNote: (row: R) => string | null = () => null,
): SearchMatch[] => rows.map((row) => ({ kind, name: row.id, href: toPath(row), note: toNote(row), row }))

const describeOrder = ({ order_number, status }: { order_number: string | null; status: string }) =>
  [order_number && `number ${order_number}`, describeOrderStatus(status).toLowerCase()].filter(Boolean).join(', ')
const toOrderHref = ({ id }: FoundRow) => toOrderPath(id)

async function findByIds(db: Database, id: string): Promise<SearchMatch[]> {
  const [requests, orders, numbered, archived, carts, ordered] = await Promise.all([
    findRequestsById(db, id),
    findOrdersById(db, id),
    findOrdersByNumber(db, id),
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
    ...toMatches('Request', requests, (row) => toRequestPath(row.id)),
    ...toMatches('Order', [...orders, ...numbered], toOrderHref, describeOrder),
    ...toMatches('Order', [...archived, ...ordered], toOrderHref, () => 'its details are deleted'),
    ...toMatches('Cart', carts, (row) => toCartPath(row.id)),
    ...toMatches('Incident', incidents, (row) => `/incidents/${row.id}`),
    ...toMatches('Webhook endpoint', endpoints, (row) => `/webhooks/${row.id}`),
    ...toMatches(
      'Delivery',
      [...deliveries, ...ofEvent],
      (row) => `/webhooks/${row.subscription_id}/deliveries/${row.id}`,
      (row) => row.event_type,
    ),
  ]
}

async function findByNames({ db, mirrors }: SearchParts, { text, id }: SearchText): Promise<SearchMatch[]> {
  const [customers, products, compactProducts] = await Promise.all([
    findCustomersById(db, id),
    findProductsBySku(db, text),
    text === id ? [] : findProductsBySku(db, id),
  ])
  const numbered = findProductsByNumber(mirrors, text)
  const code = id.toLowerCase()
  return [
    ...toMatches('Product', [...products, ...compactProducts, ...numbered], (row) =>
      toProductPath(row.tenant_id!, row.mode, row.id),
    ),
    ...toMatches('Customer', customers, (row) => toCustomerPath(row.tenant_id!, row.mode, row.id)),
    ...(isErrorCode(code) ? [{ kind: 'Code', name: code, href: toCodePath(code), row: null }] : []),
  ]
}
