import type { InventoryPort, ItemParts } from '../../ports/inventory.ts'
import {
  defineProbe,
  type OperationProbe,
  operationNotOffered,
  recentChangesQuery,
  type SkippedProbe,
} from '../operation-probe.ts'
import {
  missingSku,
  missingVehicle,
  skuFitmentsProbe,
  vehicleFacetProbes,
  vehiclesNotOffered,
} from './vehicle-probes.ts'

const BOTH: ItemParts = { product: true, stock: true }
const PAGE = { limit: 20, offset: 0 }

/** Every read of an inventory system. The first teaches the SKUs that the others ask for. Vehicles may be another source's. */
export function inventoryProbes(port: InventoryPort, withoutVehicles: boolean): OperationProbe[] {
  return [...goods(port), ...(withoutVehicles ? [among(port)] : vehicles(port)), ...rest(port)]
}

/** The page of a vehicle whose parts another source knows. */
const among = (port: InventoryPort): OperationProbe =>
  defineProbe({
    operation: 'search (among SKUs)',
    prepare: ({ skus }) => (skus.length === 0 ? missingSku : (call) => port.search({ ...PAGE, skus }, BOTH, call)),
    evaluate: ({ items }, { skus }) =>
      items.every(({ sku }) => skus.includes(sku)) && items.length > 0 ? null : others,
  })

const others = {
  finding: 'a search among SKUs answers others, or none of them',
  remedy: 'Look at how the system searches among given SKUs: the products of a vehicle are found by it',
  failed: true,
}

const nothing = {
  finding: 'no product is for sale there',
  remedy: 'List products for sale in the system, or look at what the adapter takes for one',
}

const goods = (port: InventoryPort): OperationProbe[] => [
  defineProbe({
    operation: 'search',
    prepare: () => (call) => port.search(PAGE, BOTH, call),
    learn: ({ items }, known) => {
      known.skus = items.map(({ sku }) => sku)
    },
    evaluate: ({ items }) => (items.length === 0 ? nothing : null),
  }),
  defineProbe({
    operation: 'search (updated_since)',
    prepare: (known) => (call) => port.search({ ...PAGE, updated_since: recentChangesQuery(known).since }, BOTH, call),
  }),
  defineProbe({
    operation: 'items',
    prepare: ({ skus }) =>
      skus.length === 0 ? missingSku : (call) => port.items(skus.slice(0, port.maxSkus), BOTH, call),
    evaluate: (items) => (items.length === 0 ? unreadable : null),
  }),
  defineProbe({
    operation: 'categories',
    prepare: () => (call) => port.categories(call),
    evaluate: (found) => (found.length === 0 ? bare : null),
  }),
  defineProbe({
    operation: 'tags',
    prepare: () => (port.tags ? (call) => port.tags!(call) : operationNotOffered('tags')),
  }),
]

const unreadable = {
  finding: 'none of the SKUs that search answers is found by items',
  remedy: 'Look at how the two read their products: both must know the same SKUs',
  failed: true,
}
const bare = { finding: 'there is no category', remedy: 'Put the products into categories, or name their root' }

const vehicles = (port: InventoryPort): OperationProbe[] => [
  ...vehicleFacetProbes(port),
  defineProbe({
    operation: 'vehicleItems',
    prepare({ vehicleId }) {
      if (!port.vehicleItems) return vehiclesNotOffered
      return vehicleId === undefined ? missingVehicle : (call) => port.vehicleItems!(vehicleId, PAGE, BOTH, call)
    },
  }),
  skuFitmentsProbe(port),
]

const lostPicture = {
  finding: 'a picture that a product names is not there',
  remedy: 'Look at the pictures of the first products in the inventory system, and at the right to read them',
}

/** It needs no remedy: pictures may have addresses of their own, or lie with a few products. */
const noPicture = (products: number): SkippedProbe => ({
  result: 'not tried',
  finding: `none of the ${products} products looked at keeps its pictures behind the system`,
})

const rest = (port: InventoryPort): OperationProbe[] => [
  defineProbe({
    operation: 'picture',
    prepare({ pictures, skus, sampledCount: walked }) {
      if (!port.picture) return operationNotOffered('picture')
      const [source] = pictures
      if (source === undefined) return skus.length === 0 ? missingSku : noPicture(Math.max(walked, skus.length))
      return (call) => port.picture!(source, call)
    },
    evaluate: (picture) => (picture ? null : lostPicture),
    isBackground: true,
    isAfterSampling: true,
  }),
  defineProbe({
    operation: 'stockChanges',
    prepare: (known) =>
      port.stockChanges
        ? (call) => port.stockChanges!(recentChangesQuery(known), call)
        : operationNotOffered('stockChanges'),
    isBackground: true,
  }),
]
