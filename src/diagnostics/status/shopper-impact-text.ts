import type { SectionImpact } from './process-state.ts'

const nouns: Readonly<Record<string, string>> = {
  price: 'prices',
  tax: 'taxes',
  availability: 'stock bands',
  band: 'live stock bands',
  media: 'pictures',
  product: 'products',
  lines: 'cart lines',
  pricing: 'cart totals',
  promotions: 'promotions',
  credit: 'credit limits',
  customer: 'customer accounts',
  order: 'orders',
  invoice: 'invoices',
  invoices: 'invoices',
  payment: 'payment states',
}

/** A list's own rows are called `data`, whatever is listed. */
const listed: Readonly<Record<string, string>> = {
  listProducts: 'products',
  listVehicleProducts: 'products',
  listProductFitments: 'vehicles that fit',
  listVehicleYears: 'vehicle choices',
  listVehicleMakes: 'vehicle choices',
  listVehicleModels: 'vehicle choices',
  getCategories: 'categories',
  getTags: 'tags',
  listOrders: 'orders',
  listInvoices: 'invoices',
}

/** Where shoppers meet it; as it is called when it fails as a whole, and when a part of it is missing. */
const places: Readonly<Record<string, readonly [whole: string, within: string]>> = {
  getProduct: ['product pages', 'on product pages'],
  listProducts: ['search', 'in search'],
  listVehicleProducts: ['search by vehicle', 'in search by vehicle'],
  listProductFitments: ['lists of vehicles that fit', 'in lists of vehicles that fit'],
  listVehicleYears: ['the choice of a vehicle', 'in the choice of a vehicle'],
  listVehicleMakes: ['the choice of a vehicle', 'in the choice of a vehicle'],
  listVehicleModels: ['the choice of a vehicle', 'in the choice of a vehicle'],
  getAvailability: ['stock questions', 'in stock questions'],
  getAvailabilityBatch: ['stock questions', 'in stock questions'],
  getCategories: ['categories', 'in categories'],
  getTags: ['tags', 'in tags'],
  createCart: ['the cart', 'in the cart'],
  getCart: ['the cart', 'in the cart'],
  addCartLine: ['the cart', 'in the cart'],
  updateCartLine: ['the cart', 'in the cart'],
  deleteCartLine: ['the cart', 'in the cart'],
  priceCart: ['cart totals', 'in cart totals'],
  addCartPromotion: ['promotions', 'in cart totals'],
  deleteCartPromotion: ['promotions', 'in cart totals'],
  checkout: ['checkout', 'at checkout'],
  cancelOrder: ['order cancellation', 'when orders are cancelled'],
  getOrder: ['orders', 'in orders'],
  listOrders: ['order lists', 'in order lists'],
  getPaymentStatus: ['payment states', 'in payment states'],
  getInvoice: ['invoices', 'in invoices'],
  listInvoices: ['invoice lists', 'in invoice lists'],
  getCreditStatus: ['credit limits', 'in credit limits'],
  getMe: ['customer accounts', 'in customer accounts'],
  registerShopper: ['registration', 'at registration'],
  logInShopper: ['sign-in', 'at sign-in'],
  refreshShopper: ['sign-in', 'at sign-in'],
  picture: ['pictures', 'in pictures'],
}

export function sectionNoun(section: string, route?: string): string {
  if (section === 'data') return listed[route ?? ''] ?? 'lists'
  return nouns[section] ?? section.replaceAll('_', ' ')
}

const wholeOf = (route: string) => places[route]?.[0] ?? route
const withinOf = (route: string) => places[route]?.[1] ?? `in ${route}`

/** What shoppers meet, in sentences: what fails, then what is missing, then what is old. */
export function toShopperImpactText(shown: readonly SectionImpact[], now: number): string[] {
  const failed = unique(shown.filter(({ refused }) => refused > 0).map(({ route }) => wholeOf(route)))
  const waiting = shown.some((one) => one.missing > 0 && isUnconfirmed(one))
  const missing = byNoun(shown.filter((one) => one.missing > 0 && !isUnconfirmed(one)))
  const stale = byNoun(shown.filter((one) => one.stale > 0))
  return [
    ...(failed.length > 0 ? [`${capital(anded(failed))} ${isOrAre(...failed)} refused.`] : []),
    ...(waiting
      ? ['Orders are taken at checkout, and not confirmed: shoppers are told that they are being processed.']
      : []),
    ...missing.map(([noun, of]) => `${capital(noun)} ${isOrAre(noun)} missing ${placesOf(of)}.`),
    ...stale.map(([noun, of]) => `${capital(noun)} ${placesOf(of)} ${isOrAre(noun)} ${ageOf(of, now)}.`),
  ]
}

/** Of several things, or of one that is called by several: `product pages`, `vehicles that fit`. */
const isOrAre = (...words: readonly string[]) => (words.length > 1 || /s( |$)/.test(words[0] ?? '') ? 'are' : 'is')

/** A checkout that is answered all the same: its order is kept, and waits for the ledger. */
const isUnconfirmed = ({ route, section }: SectionImpact) => route === 'checkout' && section === 'checkout'

const placesOf = (shown: readonly SectionImpact[]) => anded(unique(shown.map(({ route }) => withinOf(route))))

function byNoun(shown: readonly SectionImpact[]): [string, SectionImpact[]][] {
  return [...Map.groupBy(shown, ({ section, route }) => sectionNoun(section, route))]
}

function ageOf(shown: readonly SectionImpact[], now: number): string {
  const ages = shown.flatMap(({ oldestAsOf }) => (oldestAsOf === null ? [] : [now - oldestAsOf]))
  return ages.length === 0 ? 'old' : `up to ${spoken(Math.max(...ages))} old`
}

function spoken(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const unique = (words: readonly string[]) => [...new Set(words)]
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const anded = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
