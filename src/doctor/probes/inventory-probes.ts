import type { InventoryPort, ItemParts } from '../../ports/inventory.ts'
import { defineProbe, type OperationProbe, type SkippedProbe } from '../operation-probe.ts'
import { recentChangesQuery } from '../recent-changes-query.ts'
import { operationNotOffered } from '../skipped-probes.ts'
import {
  missingSku,
  missingVehicle,
  skuFitmentsProbe,
  vehicleFacetProbes,
  vehiclesNotOffered,
} from './vehicle-probes.ts'

const ALL_PARTS: ItemParts = { product: true, stock: true }
const PAGE = { limit: 20, offset: 0 }

/** A probe for every operation of an inventory port. The first one supplies SKUs to the others. */
export function inventoryProbes(port: InventoryPort, hasOtherFitmentSource: boolean): OperationProbe[] {
  return [
    ...productProbes(port),
    ...(hasOtherFitmentSource ? [searchAmongSkusProbe(port)] : vehicleProbes(port)),
    ...backgroundProbes(port),
  ]
}

/** The search behind a vehicle page when another source has the fitment. */
const searchAmongSkusProbe = (port: InventoryPort): OperationProbe =>
  defineProbe({
    operation: 'search (among SKUs)',
    prepare: ({ skus }) => (skus.length === 0 ? missingSku : (call) => port.search({ ...PAGE, skus }, ALL_PARTS, call)),
    evaluate: ({ items }, { skus }) =>
      items.every(({ sku }) => skus.includes(sku)) && items.length > 0 ? null : wrongSkusFinding,
  })

const wrongSkusFinding = {
  finding: 'a search restricted to some SKUs returns other SKUs, or none',
  remedy: 'Check the search restricted to given SKUs: Forecourt uses it to find the products of a vehicle',
  failed: true,
}

const noProductFinding = {
  finding: 'the system has no product for sale',
  remedy: 'Put products on sale in the system, or check which records the adapter reads as products',
}

const productProbes = (port: InventoryPort): OperationProbe[] => [
  defineProbe({
    operation: 'search',
    prepare: () => (call) => port.search(PAGE, ALL_PARTS, call),
    learn: ({ items }, inputs) => {
      inputs.skus = items.map(({ sku }) => sku)
    },
    evaluate: ({ items }) => (items.length === 0 ? noProductFinding : null),
  }),
  defineProbe({
    operation: 'search (updated_since)',
    prepare: (inputs) => (call) =>
      port.search({ ...PAGE, updated_since: recentChangesQuery(inputs).since }, ALL_PARTS, call),
  }),
  defineProbe({
    operation: 'items',
    prepare: ({ skus }) =>
      skus.length === 0 ? missingSku : (call) => port.items(skus.slice(0, port.maxSkus), ALL_PARTS, call),
    evaluate: (items) => (items.length === 0 ? unknownItemsFinding : null),
  }),
  defineProbe({
    operation: 'categories',
    prepare: () => (call) => port.categories(call),
    learn: (categories, inputs) => {
      inputs.categories = categories
    },
    evaluate: (categories) => (categories.length === 0 ? noCategoryFinding : null),
  }),
  defineProbe({
    operation: 'tags',
    prepare: () => (port.tags ? (call) => port.tags!(call) : operationNotOffered('tags')),
    learn: (tags, inputs) => {
      inputs.tags = tags
    },
  }),
]

const unknownItemsFinding = {
  finding: 'items finds none of the SKUs that search returns',
  remedy: 'Check how search and items read products: both must find the same SKUs',
  failed: true,
}
const noCategoryFinding = {
  finding: 'there is no category',
  remedy: 'Put the products into categories, or configure the root category',
}

const vehicleProbes = (port: InventoryPort): OperationProbe[] => [
  ...vehicleFacetProbes(port),
  defineProbe({
    operation: 'vehicleItems',
    prepare({ vehicleId }) {
      if (!port.vehicleItems) return vehiclesNotOffered
      return vehicleId === undefined ? missingVehicle : (call) => port.vehicleItems!(vehicleId, PAGE, ALL_PARTS, call)
    },
  }),
  skuFitmentsProbe(port),
]

const missingPictureFinding = {
  finding: 'a picture of a product does not exist',
  remedy: 'Check the pictures of the first products in the inventory system, and the permission to read them',
}

/** Needs no remedy: pictures may have public URLs, or only a few products may have pictures. */
const noPictureToRead = (productCount: number): SkippedProbe => ({
  result: 'not tried',
  finding: `none of the ${productCount} sampled products has a picture that the system serves`,
})

const backgroundProbes = (port: InventoryPort): OperationProbe[] => [
  defineProbe({
    operation: 'picture',
    prepare({ pictures, skus, sampledCount }) {
      if (!port.picture) return operationNotOffered('picture')
      const [source] = pictures
      if (source === undefined)
        return skus.length === 0 ? missingSku : noPictureToRead(Math.max(sampledCount, skus.length))
      return (call) => port.picture!(source, call)
    },
    evaluate: (picture) => (picture ? null : missingPictureFinding),
    isBackground: true,
    isAfterSampling: true,
  }),
  defineProbe({
    operation: 'stockChanges',
    prepare: (inputs) =>
      port.stockChanges
        ? (call) => port.stockChanges!(recentChangesQuery(inputs), call)
        : operationNotOffered('stockChanges'),
    isBackground: true,
  }),
]
