import * as operatorCarts from '../../../src/storage/commerce/operator-cart-queries.ts'
import * as operatorCustomers from '../../../src/storage/commerce/operator-customer-queries.ts'
import * as operatorOrders from '../../../src/storage/commerce/operator-order-queries.ts'
import * as orderTries from '../../../src/storage/commerce/order-tries.ts'
import { at, type QueryCalls, tenant, tenantRow } from './query-combinations.ts'

const customer = { ...tenant, customer_id: 'C-1' }
const failedTry = { order_id: 'ord_1', number: 30, at, ms: 1, outcome: 'timeout' as const, kind: 'no response in time' }

export const commercePageModules = [operatorOrders, orderTries, operatorCustomers, operatorCarts]

/** Calls each function of the pages of orders, carts and customers. */
export const commercePageCalls: QueryCalls = {
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
  listCustomerOrders: (db) => [operatorCustomers.listCustomerOrders(db, customer, 9)],
  listCustomerCarts: (db) => [operatorCustomers.listCustomerCarts(db, customer, 9)],
  findShopperAccount: (db) => [operatorCustomers.findShopperAccount(db, 'shp_1')],
  listCustomerAccounts: (db) => [operatorCustomers.listCustomerAccounts(db, customer)],
  countSignIns: (db) => [operatorCustomers.countSignIns(db, 'shp_1', at)],
  findAnyCart: (db) => [operatorCarts.findAnyCart(db, 'cart_1')],
  listOpenCartsWithProduct: (db) => [operatorCarts.listOpenCartsWithProduct(db, tenant, { sku: 'BP-1', now: at })],
  listCartsById: (db) => [operatorCarts.listCartsById(db, tenant, ['cart_1'])],
  listDelayedOrders: (db) => [operatorOrders.listDelayedOrders(db, tenant, { from: at, to: at, limit: 9 })],
}
