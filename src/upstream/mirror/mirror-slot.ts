import type { CatalogMirror, MirrorPartState } from './catalog-mirror.ts'

/** A mirror that is set later: back offices are connected before the mirrors of their catalogs are started. */
export interface MirrorSlot {
  /** While none is set, no part is filled, and every other read throws. */
  mirror: CatalogMirror
  set(mirror: CatalogMirror | null): void
}

const UNREAD: MirrorPartState = { isFilled: false, asOf: 0, failure: null }

export function createMirrorSlot(): MirrorSlot {
  let current: CatalogMirror | null = null
  const require = (): CatalogMirror => {
    if (!current) throw new Error('the mirror has not started')
    return current
  }
  return {
    mirror: {
      partState: (name) => current?.partState(name) ?? UNREAD,
      products: (skus) => require().products(skus),
      skusOf: (ids) => require().skusOf(ids),
      text: (sku) => require().text(sku),
      texts: (ids) => require().texts(ids),
      findSlug: (slug) => require().findSlug(slug),
      changes: (query) => require().changes(query),
      changeTexts: (query) => require().changeTexts(query),
      countChanges: (after, counted) => require().countChanges(after, counted),
      categories: (ids) => require().categories(ids),
      readAllCategories: () => require().readAllCategories(),
      tags: (tags) => require().tags(tags),
      search: (request, signal) => require().search(request, signal),
      suggest: (request, signal) => require().suggest(request, signal),
      vehicleFacet: (query) => require().vehicleFacet(query),
      vehicle: (vehicleId) => require().vehicle(vehicleId),
      fitments: (sku, page) => require().fitments(sku, page),
      fitmentsOn: (vehicleId, skus) => require().fitmentsOn(vehicleId, skus),
      references: (sku, customerId) => require().references(sku, customerId),
      productsByNumber: (number, customerId) => require().productsByNumber(number, customerId),
    },
    set(mirror) {
      current = mirror
    },
  }
}
