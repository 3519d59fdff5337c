import * as operatorCarts from '../../../src/storage/commerce/operator-cart-queries.ts'
import * as operatorCustomers from '../../../src/storage/commerce/operator-customer-queries.ts'
import * as operatorOrders from '../../../src/storage/commerce/operator-order-queries.ts'
import * as orderTries from '../../../src/storage/commerce/order-tries.ts'
import * as commerceLookups from '../../../src/storage/console-search/commerce-lookups.ts'
import * as idLookups from '../../../src/storage/console-search/id-lookups.ts'
import { at, type QueryCalls, tenant, tenantRow } from './query-calls.ts'

const customer = { ...tenant, customer_id: 'C-1' }
const failedTry = { order_id: 'ord_1', number: 30, at, ms: 1, outcome: 'timeout' as const, kind: 'no response in time' }

export const consoleSearchModules = [
  operatorOrders,
  orderTries,
  commerceLookups,
  operatorCustomers,
  idLookups,
  operatorCarts,
]

/** Calls each function that searches for ids, and those of the pages of what is found. */
export const consoleSearchCalls: QueryCalls = {
  findAnyOrder: (db) => [operatorOrders.findAnyOrder(db, 'ord_1')],
  listOrdersById: (db) => [operatorOrders.listOrdersById(db, ['ord_1', 'ord_2'])],
  listOrdersOfCarts: (db) => [operatorOrders.listOrdersOfCarts(db, tenant, ['cart_1', 'cart_2'])],
  listArchivedOrdersOfCarts: (db) => [operatorOrders.listArchivedOrdersOfCarts(db, tenant, ['cart_1', 'cart_2'])],
  listCustomersWithOrders: (db) => [
    operatorOrders.listCustomersWithOrders(db, tenant, { customerIds: ['C-1', 'C-2'], from: at, to: at }),
  ],
  findAnyArchivedOrder: (db) => [operatorOrders.findAnyArchivedOrder(db, 'ord_1')],
  countPendingBefore: (db) => [operatorOrders.countPendingBefore(db, tenantRow, at)],
  insertOrderTry: (db) => [orderTries.insertOrderTry(db, failedTry)],
  listOrderTries: (db) => [orderTries.listOrderTries(db, 'ord_1')],
  listTriesOfOrders: (db) => [orderTries.listTriesOfOrders(db, ['ord_1', 'ord_2'])],
  deleteOrderTries: (db) => [orderTries.deleteOrderTries(db, ['ord_1'])],
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
  listCustomerOrders: (db) => [operatorCustomers.listCustomerOrders(db, customer, 9)],
  listCustomerCarts: (db) => [operatorCustomers.listCustomerCarts(db, customer, 9)],
  findShopperAccount: (db) => [operatorCustomers.findShopperAccount(db, 'shp_1')],
  listCustomerAccounts: (db) => [operatorCustomers.listCustomerAccounts(db, customer)],
  countSignIns: (db) => [operatorCustomers.countSignIns(db, 'shp_1', at)],
  findAnyCart: (db) => [operatorCarts.findAnyCart(db, 'cart_1')],
  findRequestsById: (db) => [idLookups.findRequestsById(db, 'x')],
  findIncidentsById: (db) => [idLookups.findIncidentsById(db, 'x')],
  findSubscriptionsById: (db) => [idLookups.findSubscriptionsById(db, 'x')],
  findDeliveriesById: (db) => [idLookups.findDeliveriesById(db, 'x')],
  findDeliveriesOfEvent: (db) => [idLookups.findDeliveriesOfEvent(db, 'x')],
  findProductsBySku: (db) => [idLookups.findProductsBySku(db, 'x')],
  listOpenCartsWithProduct: (db) => [operatorCarts.listOpenCartsWithProduct(db, tenant, { sku: 'BP-1', now: at })],
  listCartsById: (db) => [operatorCarts.listCartsById(db, tenant, ['cart_1'])],
  listDelayedOrders: (db) => [operatorOrders.listDelayedOrders(db, tenant, { from: at, to: at, limit: 9 })],
  findKeysByText: (db) => [
    idLookups.findKeysByText(db, { text: 'x', prefix: null }),
    idLookups.findKeysByText(db, { text: 'x', prefix: 'svc_' }),
  ],
}
