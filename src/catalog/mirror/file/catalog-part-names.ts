/** The parts of a catalog, each of which is read and becomes old on its own. */
export const catalogPartNames = [
  'products',
  'stock',
  'prices',
  'taxes',
  'categories',
  'tags',
  'vehicles',
  'references',
] as const
export type CatalogPartName = (typeof catalogPartNames)[number]
