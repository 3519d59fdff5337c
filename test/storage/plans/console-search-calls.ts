import * as commerceLookups from '../../../src/storage/console-search/commerce-lookups.ts'
import * as idLookups from '../../../src/storage/console-search/id-lookups.ts'
import type { QueryCalls } from './query-combinations.ts'

export const consoleSearchModules = [commerceLookups, idLookups]

/** Calls each function that searches for ids. */
export const consoleSearchCalls: QueryCalls = {
  findOrdersById: (db) => [commerceLookups.findOrdersById(db, 'x')],
  findOrdersByNumber: (db) => [commerceLookups.findOrdersByNumber(db, ['x', 'y'])],
  readLastOrderNumber: (db) => [
    commerceLookups.readLastOrderNumber(db, null),
    commerceLookups.readLastOrderNumber(db, 'so-'),
  ],
  findArchivedOrdersById: (db) => [commerceLookups.findArchivedOrdersById(db, 'x')],
  findCartsById: (db) => [commerceLookups.findCartsById(db, 'x')],
  findArchivedOrdersOfCart: (db) => [commerceLookups.findArchivedOrdersOfCart(db, 'x')],
  findCustomersById: (db) => [commerceLookups.findCustomersById(db, ['x', 'y'])],
  findShoppersByEmail: (db) => [commerceLookups.findShoppersByEmail(db, 'x')],
  findShoppersById: (db) => [commerceLookups.findShoppersById(db, 'x')],
  findRequestsById: (db) => [idLookups.findRequestsById(db, 'x')],
  findIncidentsById: (db) => [idLookups.findIncidentsById(db, 'x')],
  findSubscriptionsById: (db) => [idLookups.findSubscriptionsById(db, 'x')],
  findDeliveriesById: (db) => [idLookups.findDeliveriesById(db, 'x')],
  findDeliveriesOfEvent: (db) => [idLookups.findDeliveriesOfEvent(db, 'x')],
  findProductsBySku: (db) => [idLookups.findProductsBySku(db, 'x')],
  findKeysByText: (db) => [
    idLookups.findKeysByText(db, { text: 'x', prefix: null }),
    idLookups.findKeysByText(db, { text: 'x', prefix: 'svc_' }),
  ],
}
