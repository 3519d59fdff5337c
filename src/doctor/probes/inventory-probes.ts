import type { InventoryPort, Parts } from '../../ports/inventory.ts'
import { absent, type Question, question, recently, type Unasked } from '../operation-probe.ts'
import { facets, fitmentsOf, noSku, noVehicle, noVehicles } from './vehicle-probes.ts'

const BOTH: Parts = { product: true, stock: true }
const PAGE = { limit: 20, offset: 0 }

/** Every read of an inventory system. The first teaches the SKUs that the others ask for. Vehicles may be another source's. */
export function inventoryQuestions(port: InventoryPort, withoutVehicles: boolean): Question[] {
  return [...goods(port), ...(withoutVehicles ? [among(port)] : vehicles(port)), ...rest(port)]
}

/** The page of a vehicle whose parts another source knows. */
const among = (port: InventoryPort): Question =>
  question({
    operation: 'search (among SKUs)',
    ask: ({ skus }) => (skus.length === 0 ? noSku : (call) => port.search({ ...PAGE, skus }, BOTH, call)),
    judge: ({ items }, { skus }) => (items.every(({ sku }) => skus.includes(sku)) && items.length > 0 ? null : others),
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

const goods = (port: InventoryPort): Question[] => [
  question({
    operation: 'search',
    ask: () => (call) => port.search(PAGE, BOTH, call),
    learn: ({ items }, known) => {
      known.skus = items.map(({ sku }) => sku)
    },
    judge: ({ items }) => (items.length === 0 ? nothing : null),
  }),
  question({
    operation: 'search (updated_since)',
    ask: (known) => (call) => port.search({ ...PAGE, updated_since: recently(known).since }, BOTH, call),
  }),
  question({
    operation: 'items',
    ask: ({ skus }) => (skus.length === 0 ? noSku : (call) => port.items(skus.slice(0, port.maxSkus), BOTH, call)),
    judge: (items) => (items.length === 0 ? unreadable : null),
  }),
  question({
    operation: 'categories',
    ask: () => (call) => port.categories(call),
    judge: (found) => (found.length === 0 ? bare : null),
  }),
  question({ operation: 'tags', ask: () => (port.tags ? (call) => port.tags!(call) : absent('tags')) }),
]

const unreadable = {
  finding: 'none of the SKUs that search answers is found by items',
  remedy: 'Look at how the two read their products: both must know the same SKUs',
  failed: true,
}
const bare = { finding: 'there is no category', remedy: 'Put the products into categories, or name their root' }

const vehicles = (port: InventoryPort): Question[] => [
  ...facets(port),
  question({
    operation: 'vehicleItems',
    ask({ vehicleId }) {
      if (!port.vehicleItems) return noVehicles
      return vehicleId === undefined ? noVehicle : (call) => port.vehicleItems!(vehicleId, PAGE, BOTH, call)
    },
  }),
  fitmentsOf(port),
]

const lostPicture = {
  finding: 'a picture that a product names is not there',
  remedy: 'Look at the pictures of the first products in the inventory system, and at the right to read them',
}

/** It needs no remedy: pictures may have addresses of their own, or lie with a few products. */
const noPicture = (products: number): Unasked => ({
  result: 'not tried',
  finding: `none of the ${products} products looked at keeps its pictures behind the system`,
})

const rest = (port: InventoryPort): Question[] => [
  question({
    operation: 'picture',
    ask({ pictures, skus, walked }) {
      if (!port.picture) return absent('picture')
      const [source] = pictures
      if (source === undefined) return skus.length === 0 ? noSku : noPicture(Math.max(walked, skus.length))
      return (call) => port.picture!(source, call)
    },
    judge: (picture) => (picture ? null : lostPicture),
    background: true,
    afterWalk: true,
  }),
  question({
    operation: 'stockChanges',
    ask: (known) => (port.stockChanges ? (call) => port.stockChanges!(recently(known), call) : absent('stockChanges')),
    background: true,
  }),
]
