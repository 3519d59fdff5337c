import type { CircuitName } from '../../ports/system.ts'

/** The name of a section, and what shoppers see when it fails. The effect fits both an ongoing and an ended incident. */
export interface SectionText {
  name: string
  effect: string
}

const text = (name: string, effect: string): SectionText => ({ name, effect })

/** Texts by system and section. Names are unique within a system. */
export const sectionTexts: Readonly<Record<string, SectionText>> = {
  'inventory product': text(
    'Products',
    'Product pages are missing or stale. A product that is not cached cannot be added to a cart.',
  ),
  'inventory data': text('Search and lists', 'Search results, categories and product lists are missing or stale.'),
  'inventory availability': text(
    'Availability bands',
    'Availability bands are missing or stale on product pages, in search and in the cart. Checkout is refused while stock cannot be read.',
  ),
  'inventory band': text(
    'Live availability bands',
    'Pages that request only the live availability band show no band, or a stale one.',
  ),
  'inventory media': text('Pictures', 'Product pages and lists have no pictures.'),
  ' store': text(
    'Store',
    'Sign-in, carts, checkout, orders and webhooks are refused. The catalog is still served to keys that were used before.',
  ),
  ' media': text('Pictures', 'Product pages and lists have no pictures.'),
  'inventory lines': text('Cart lines', 'Cart lines have no names or pictures. Checkout is refused.'),
  'pricing price': text(
    'Prices',
    'Prices are missing or stale on product pages, in search and in lists. There are no cart totals and no checkout while prices cannot be read.',
  ),
  'pricing pricing': text('Cart totals', 'Carts cannot be priced: promotions do not apply and checkout is refused.'),
  'pricing promotions': text('Promotions', 'Promotions do not apply. Checkout is refused for carts that have one.'),
  'accounting tax': text(
    'Taxes',
    'Prices are shown without tax, or with a stale tax rate. Checkout is refused while taxes cannot be read.',
  ),
  'accounting credit': text('Credit', 'Business shoppers do not see their credit and cannot pay on account.'),
  'accounting customer': text('Customer accounts', 'Signed-in shoppers do not see their account, or see a stale copy.'),
  'accounting data': text('Order and invoice lists', 'Shoppers cannot list their orders and invoices.'),
  'accounting order': text('Orders', 'Orders cannot be placed, shown or cancelled, or are shown with a stale status.'),
  'accounting checkout': text(
    'Checkout',
    'Checkout is refused, or orders are accepted but not confirmed yet: shoppers see that they are being processed.',
  ),
  'inventory checkout': text('Checkout', 'Checkout is refused while stock cannot be read.'),
  'pricing checkout': text('Checkout', 'Checkout is refused while prices cannot be read.'),
  'accounting document': text('Invoice documents', 'Shoppers cannot download their invoices.'),
  'accounting invoice': text('Invoices', 'Shoppers cannot open an invoice.'),
  'accounting invoices': text('Invoices of an order', 'Orders are shown without their invoices.'),
  'accounting payment': text('Payment status', 'Shoppers do not see whether an order is paid.'),
  'references references': text(
    'Product numbers',
    'Product pages show no OEM and other numbers, or stale ones. Searches by such a number find nothing.',
  ),
  'references alternatives': text('Alternatives', 'Product pages show no products to buy instead.'),
  'inventory facets': text('Facets', 'Lists are shown without the counts beside their filters.'),
  'inventory suggestions': text('Suggestions', 'Shoppers get no suggestions while they type.'),
  'fitment fitment': text('Fitment of lists', 'Lists for a vehicle do not say how each product fits it.'),
  'fitment data': text('Vehicle search', 'Shoppers cannot choose a vehicle or see what fits it.'),
}

const systemEffects: Readonly<Record<CircuitName, string>> = {
  inventory: 'Parts of the catalog are missing or stale.',
  'inventory-search': 'Search results and product lists are missing or stale.',
  pricing: 'Prices or totals are missing or stale. Checkout may be refused.',
  accounting: 'Taxes, orders, invoices or accounts are missing or stale. Checkout may be refused.',
  fitment: 'Shoppers cannot choose a vehicle or see what fits it.',
}

/** Returns what shoppers see while a system is not called at all. */
export const describeSystemEffect = (system: string): string =>
  systemEffects[system as CircuitName] ?? 'A part of some responses is missing or stale.'

const KEY_EFFECT =
  'Requests with this key are refused, so the shop that sends it shows no data. Keys says which key it is. Give the shop a valid one.'

/** Returns the texts of a section, or those of its system for an unknown section. */
export function describeSection(system: string, section: string): SectionText {
  if (system === '' && section.startsWith('key_')) return { name: `Refused key ${section}`, effect: KEY_EFFECT }
  const known = sectionTexts[`${system} ${section}`]
  if (known) return known
  const [initial = '', ...rest] = section.replaceAll('_', ' ')
  return { name: initial.toUpperCase() + rest.join(''), effect: describeSystemEffect(system) }
}
