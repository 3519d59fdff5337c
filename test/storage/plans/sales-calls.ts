import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import * as popularities from '../../../src/storage/catalog/popularity-and-time-changes.ts'
import * as sales from '../../../src/storage/catalog/product-sales.ts'
import * as orderNumbers from '../../../src/storage/commerce/fill-order-numbers.ts'
import * as orders from '../../../src/storage/commerce/orders-awaiting-sales-count.ts'
import { at, type QueryCalls, tenant } from './query-combinations.ts'

export const salesModules = [sales, orders, orderNumbers, popularities]

/** Calls each function that counts orders, and that writes and reads popularities. */
export const salesCalls: QueryCalls = {
  listUncountedOrders: (db) => [orders.listUncountedOrders(db, tenant, 9)],
  markOrdersCounted: (db) => [orders.markOrdersCounted(db, ['ord_1', 'ord_2'])],
  fillOrderNumbers: (db) => [orderNumbers.fillOrderNumbers(db, 9)],
  addProductSales: (db) => [sales.addProductSales(db, tenant, [{ sku: 'A', week: 1, orders: 1 }])],
  listSkusWithSalesBefore: (db) => [sales.listSkusWithSalesBefore(db, tenant, 9, 9)],
  deleteSalesBefore: (db) => [sales.deleteSalesBefore(db, tenant, ['A', 'B'], 9)],
  sumProductSales: (db) => [sales.sumProductSales(db, tenant, ['A', 'B'])],
  putCatalogParts: (db) => [putCatalogParts(db, tenant, [{ sku: 'A', popularity: 1 }], at)],
  listPopularityAndTimeChangesAfter: (db) => [popularities.listPopularityAndTimeChangesAfter(db, tenant, 1, 9)],
}
