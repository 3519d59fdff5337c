import { nameSection } from '../../diagnostics/section-and-system-names.ts'
import type { CircuitName } from '../../ports/circuit-name.ts'
import { capitalize } from './capitalize.ts'

/** The name of a section, and what shoppers see when it fails. The effect fits both an ongoing and an ended incident. */
export interface SectionText {
  name: string
  effect: string
}

/** Effects by system and section. */
const effects: Readonly<Record<string, string>> = {
  'inventory product':
    'Product pages are missing or out of date. A product of which Forecourt has no copy cannot be added to a cart.',
  'inventory data': 'Search results, categories and product lists are missing or out of date.',
  'inventory availability':
    'Product pages, search and carts do not say whether a product is in stock, or say what was true earlier. Checkout is refused while stock cannot be read.',
  'inventory band': 'Pages that request only the live availability band show none, or one that is out of date.',
  'inventory media': 'Product pages and lists have no pictures.',
  ' store':
    'Sign-in, carts, checkout and orders are refused, and no webhooks are sent. Events that wait are sent when it works again. Shops whose API key was used in the 24 hours before still show the catalog.',
  ' media': 'Product pages and lists have no pictures.',
  'inventory lines': 'Cart lines have no names or pictures. Checkout is refused.',
  'pricing price':
    'Prices are missing or out of date on product pages, in search and in lists. There are no cart totals and no checkout while prices cannot be read.',
  'pricing pricing':
    'Shoppers get an error instead of the total of their cart, with its prices and promotions. Checkout is refused.',
  'accounting pricing': 'Carts have no totals, because their taxes cannot be read. Checkout is refused.',
  'accounting tax':
    'Prices are shown without tax, or with a tax rate that is out of date. Checkout is refused while taxes cannot be read.',
  'accounting credit': 'Business shoppers do not see their credit and cannot pay on account.',
  'accounting customer': 'Signed-in shoppers do not see their account, or see an older copy.',
  'accounting data': 'Shoppers cannot list their orders and invoices.',
  'accounting order': 'Orders cannot be placed, shown or cancelled, or their status is out of date.',
  'accounting delivery_options': 'Shoppers cannot choose how their order is delivered.',
  'pricing delivery_options': 'Shoppers cannot choose how their order is delivered.',
  'accounting checkout':
    'Checkout is refused. An order whose checkout was accepted is not lost: shoppers see that it is being processed, and it is sent again.',
  'inventory checkout': 'Checkout is refused while stock cannot be read.',
  'pricing checkout': 'Checkout is refused while prices cannot be read.',
  'accounting document': 'Shoppers cannot download their invoices.',
  'accounting invoice': 'Shoppers cannot open an invoice.',
  'accounting invoices': 'Orders are shown without their invoices.',
  'accounting payment': 'Shoppers do not see whether an order is paid.',
  'references references':
    'Product pages show no OEM numbers or other numbers, or they show older ones. Searches by such a number find nothing.',
  'references alternatives': 'Product pages show no products to buy instead.',
  'inventory facets': 'Lists are shown without the counts beside their filters.',
  'inventory suggestions': 'Shoppers get no suggestions while they type.',
  'fitment fitment': 'Lists for a vehicle do not say how each product fits it.',
  'fitment data': 'Shoppers cannot choose a vehicle or see what fits it.',
}

/** The systems and sections whose failures have a text. */
export const describedSections: readonly string[] = Object.keys(effects)

const systemEffects: Readonly<Record<CircuitName, string>> = {
  inventory: 'Parts of the catalog are missing or out of date.',
  'inventory-search': 'Search results and product lists are missing or out of date.',
  pricing: 'Prices or totals are missing or out of date. Checkout may be refused.',
  accounting: 'Taxes, orders, invoices or accounts are missing or out of date. Checkout may be refused.',
  fitment: 'Shoppers cannot choose a vehicle or see what fits it.',
}

/** Returns what shoppers see while a system is not called at all. */
export const describeSystemEffect = (system: string): string =>
  systemEffects[system as CircuitName] ?? 'A part of some responses is missing or out of date.'

/** Explains a circuit that is a part of a system; empty: it has all calls of its system. */
export const describeCircuit = (circuit: string): string =>
  circuit === 'inventory-search'
    ? 'Inventory search is the same system as inventory. It is listed separately because calls that search are counted and paused separately.'
    : ''

const KEY_EFFECT = 'Requests with this key are refused, so the shop that sends it shows no data.'

/** Returns the texts of a section. A section without an effect of its own has that of its system. */
export function describeSection(system: string, section: string): SectionText {
  if (system === '' && section.startsWith('key_')) return { name: `Refused key ${section}`, effect: KEY_EFFECT }
  const effect = effects[`${system} ${section}`] ?? describeSystemEffect(system)
  return { name: capitalize(nameSection(system, section)), effect }
}
