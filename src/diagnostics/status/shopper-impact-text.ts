import { sectionNoun } from '../section-and-system-names.ts'
import type { SectionImpact } from './process-state.ts'

/** The name of a route as the thing that fails, and as the place where something is missing. */
const namesByRoute: Readonly<Record<string, readonly [subject: string, place: string]>> = {
  getProduct: ['product pages', 'on product pages'],
  listProducts: ['search', 'in search'],
  listVehicleProducts: ['search by vehicle', 'in search by vehicle'],
  listProductFitments: ['lists of vehicles that fit', 'in lists of vehicles that fit'],
  listVehicleYears: ['vehicle selection', 'in vehicle selection'],
  listVehicleMakes: ['vehicle selection', 'in vehicle selection'],
  listVehicleModels: ['vehicle selection', 'in vehicle selection'],
  lookUpNumber: ['search by number', 'in search by number'],
  requestBackInStock: ['back-in-stock requests', 'in back-in-stock requests'],
  getAvailability: ['stock lookups', 'in stock lookups'],
  getAvailabilityBatch: ['stock lookups', 'in stock lookups'],
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
  getPaymentStatus: ['payment statuses', 'in payment statuses'],
  getInvoice: ['invoices', 'in invoices'],
  getInvoiceDocument: ['invoice documents', 'in invoice documents'],
  listInvoices: ['invoice lists', 'in invoice lists'],
  getCreditStatus: ['credit limits', 'in credit limits'],
  getMe: ['customer accounts', 'in customer accounts'],
  registerShopper: ['registration', 'at registration'],
  logInShopper: ['sign-in', 'at sign-in'],
  refreshShopper: ['sign-in', 'at sign-in'],
  picture: ['pictures', 'in pictures'],
}

const subjectOf = (route: string) => namesByRoute[route]?.[0] ?? route
const placeOf = (route: string) => namesByRoute[route]?.[1] ?? `in ${route}`

/** Describes the effect on shoppers in sentences: what fails, then what is missing, then what is stale. */
export function toShopperImpactText(impacts: readonly SectionImpact[], now: number): string[] {
  const failed = unique(impacts.filter(({ refused }) => refused > 0).map(({ route }) => subjectOf(route)))
  const hasUnconfirmedOrders = impacts.some((impact) => impact.missing > 0 && isUnconfirmedOrder(impact))
  const missing = groupByNoun(impacts.filter((impact) => impact.missing > 0 && !isUnconfirmedOrder(impact)))
  const stale = groupByNoun(impacts.filter((impact) => impact.stale > 0))
  return [
    ...(failed.length > 0 ? [`${capitalize(joinWithAnd(failed))} ${isOrAre(...failed)} refused.`] : []),
    ...(hasUnconfirmedOrders
      ? ['Orders are accepted at checkout but not confirmed: shoppers see that their order is being processed.']
      : []),
    ...missing.map(([noun, own]) => `${capitalize(noun)} ${isOrAre(noun)} missing${describePlaces(noun, own)}.`),
    ...stale.map(([noun, own]) => describeStale(noun, own, now)),
  ]
}

function describeStale(noun: string, impacts: readonly SectionImpact[], now: number): string {
  const places = describePlaces(noun, impacts)
  return `${capitalize(noun)}${places}${places.startsWith(',') ? ',' : ''} ${isOrAre(noun)} ${ageText(impacts, now)}.`
}

/** Chooses the verb for several things, or for one whose name is plural: `product pages`, `vehicles that fit`. */
const isOrAre = (...nouns: readonly string[]) => (nouns.length > 1 || /s( |$)/.test(nouns[0] ?? '') ? 'are' : 'is')

/** Such a checkout succeeds: the order is stored, and waits for accounting. */
const isUnconfirmedOrder = ({ route, section }: SectionImpact) => route === 'checkout' && section === 'checkout'

/** Returns ` at sign-in`, or `, also at sign-in` of what is also its own place: customer accounts are not missing *in customer accounts*. */
function describePlaces(noun: string, impacts: readonly SectionImpact[]): string {
  const places = unique(impacts.map(({ route }) => placeOf(route)))
  const others = places.filter((place) => place !== `in ${noun}`)
  if (others.length === places.length) return ` ${joinWithAnd(places)}`
  return others.length === 0 ? '' : `, also ${joinWithAnd(others)}`
}

function groupByNoun(impacts: readonly SectionImpact[]): [string, SectionImpact[]][] {
  return [...Map.groupBy(impacts, ({ section, route }) => sectionNoun(section, route))]
}

function ageText(impacts: readonly SectionImpact[], now: number): string {
  const agesMs = impacts.flatMap(({ oldestAsOf }) => (oldestAsOf === null ? [] : [now - oldestAsOf]))
  return agesMs.length === 0 ? 'old' : `up to ${formatAge(Math.max(...agesMs))} old`
}

function formatAge(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const unique = (texts: readonly string[]) => [...new Set(texts)]
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const joinWithAnd = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
