/**
 * The plain names of sections and systems, as pages, exports and sentences have them. Each section has one name, whichever system fills it:
 * the totals of a cart are "cart totals" both when pricing fails and when the taxes of accounting are missing.
 */
const sectionNames: Readonly<Record<string, string>> = {
  product: 'products',
  availability: 'availability',
  band: 'live availability',
  media: 'pictures',
  lines: 'cart lines',
  price: 'prices',
  pricing: 'cart totals',
  tax: 'taxes',
  credit: 'credit limits',
  customer: 'customer accounts',
  cart: 'carts',
  order: 'orders',
  delivery_options: 'delivery options',
  checkout: 'checkout',
  document: 'invoice documents',
  invoice: 'invoices',
  invoices: 'invoices of an order',
  payment: 'payment statuses',
  references: 'product numbers',
  alternatives: 'alternatives',
  facets: 'filter counts',
  suggestions: 'suggestions',
  fitment: 'fitment in lists',
  store: 'Forecourt’s database',
}

/** The section of a list's own rows is called `data` on every route. */
const rowsBySystem: Readonly<Record<string, string>> = {
  inventory: 'search and lists',
  accounting: 'order and invoice lists',
  fitment: 'vehicle search',
}

/** Returns the name of a section within a sentence. Sections without a name in the table keep their own. */
export const nameSection = (system: string, section: string): string =>
  (section === 'data' ? rowsBySystem[system] : sectionNames[section]) ?? section.replaceAll('_', ' ')

/** The rows of a list, by its route. */
const rowsByRoute: Readonly<Record<string, string>> = {
  listProducts: 'products',
  listVehicleProducts: 'products',
  listProductFitments: 'vehicles that fit',
  listVehicleYears: 'vehicle choices',
  listVehicleMakes: 'vehicle choices',
  listVehicleModels: 'vehicle choices',
  getCategories: 'categories',
  getTags: 'tags',
  lookUpNumber: 'products',
  listOrders: 'orders',
  listInvoices: 'invoices',
}

/** Returns the name of a section on one route, or on any of them. */
export function sectionNoun(section: string, route?: string): string {
  if (section === 'data') return rowsByRoute[route ?? ''] ?? 'lists'
  return nameSection('', section)
}

const systemNames: Readonly<Record<string, string>> = {
  '': 'Forecourt',
  'inventory-search': 'inventory search',
  references: 'imported references',
}

/** Returns the name of a system or circuit. The merchant's own systems are called by their names in the configuration. */
export const nameSystem = (system: string): string => systemNames[system] ?? system
