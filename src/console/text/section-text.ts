import type { PortName } from '../../ports/system.ts'

/** What a section is to people, and what shoppers meet when it fails; in no tense, as it is said of what goes on and of what is over. */
export interface SectionText {
  name: string
  effect: string
}

const words = (name: string, effect: string): SectionText => ({ name, effect })

/** By system and section; within a system no two are called the same. */
export const sectionTexts: Readonly<Record<string, SectionText>> = {
  'inventory product': words(
    'Products',
    'No product pages, or older ones. Nothing can be put into a cart that is not known yet.',
  ),
  'inventory data': words('Search and lists', 'No search results, categories or product lists, or older ones.'),
  'inventory availability': words(
    'Stock bands',
    'No stock bands, or older ones, on product pages, in search and in the cart. No checkout while stock cannot be asked for.',
  ),
  'inventory band': words('Live stock bands', 'No live stock band, or an older one, where a page asks for it alone.'),
  'inventory media': words('Pictures', 'Product pages and lists without pictures.'),
  ' media': words('Pictures', 'Product pages and lists without pictures.'),
  'inventory lines': words('Lines of the cart', 'A cart whose lines have no names or pictures; no checkout meanwhile.'),
  'pricing price': words(
    'Prices',
    'No prices, or older ones, on product pages, in search and in lists. No cart totals and no checkout while prices cannot be asked for.',
  ),
  'pricing pricing': words(
    'Cart totals',
    'Carts cannot be priced, so promotions do not apply and checkout is refused.',
  ),
  'pricing promotions': words(
    'Promotions',
    'Promotions do not apply, and checkout is refused for carts that have one.',
  ),
  'accounting tax': words(
    'Taxes',
    'Prices without their tax, or with an older rate. No checkout while taxes cannot be asked for.',
  ),
  'accounting credit': words('Credit', 'Business customers do not see their credit, and cannot pay on account.'),
  'accounting customer': words('Customer accounts', 'Signed-in shoppers do not see their account, or an older copy.'),
  'accounting data': words('Order and invoice lists', 'Shoppers cannot list their orders and invoices.'),
  'accounting order': words('Orders', 'Orders cannot be placed, shown or cancelled, or only as they were last known.'),
  'accounting checkout': words(
    'Checkout',
    'Checkout is refused, or orders are taken and wait for the ledger to confirm them: shoppers are told that they are being processed.',
  ),
  'inventory checkout': words('Checkout', 'Checkout is refused while stock cannot be asked for.'),
  'pricing checkout': words('Checkout', 'Checkout is refused while prices cannot be asked for.'),
  'accounting invoice': words('Invoices', 'Shoppers cannot open an invoice.'),
  'accounting invoices': words('Invoices of an order', 'Orders are shown without their invoices.'),
  'accounting payment': words('Payment status', 'Shoppers do not see whether an order is paid.'),
  'fitment data': words('Vehicle search', 'Shoppers cannot choose a vehicle, or see what fits it.'),
}

const bySystem: Readonly<Record<PortName, string>> = {
  inventory: 'Parts of the catalog are missing, or older.',
  pricing: 'Prices or totals are missing, or older; checkout may be refused.',
  accounting: 'Taxes, orders, invoices or accounts are missing, or older; checkout may be refused.',
  fitment: 'Shoppers cannot choose a vehicle, or see what fits it.',
}

/** What shoppers meet while a system is not asked at all. */
export const describeSystemEffect = (system: string): string =>
  bySystem[system as PortName] ?? 'A part of some answers is missing, or older.'

/** Of a section that has no words of its own: those of its system. */
export function describeSection(system: string, section: string): SectionText {
  const own = sectionTexts[`${system} ${section}`]
  if (own) return own
  const [first = '', ...rest] = section.replaceAll('_', ' ')
  const name = first.toUpperCase() + rest.join('')
  return { name, effect: describeSystemEffect(system) }
}
