import { nameSection } from '../../diagnostics/section-and-system-names.ts'
import type { DegradedEffect, DegradedResponseCounts } from '../../storage/diagnostics/degraded-response-counts.ts'
import { formatDuration } from './format-durations.ts'
import { formatCount } from './format-numbers.ts'
import { describeRoute } from './route-text.ts'

/** What a shopper asked for, by the operation of the API. The plural has an `s` unless it is given. */
const pages: Readonly<Record<string, readonly [one: string, many?: string]>> = {
  getProduct: ['product page'],
  listProducts: ['search or list of products', 'searches or lists of products'],
  listVehicleProducts: ['search by vehicle', 'searches by vehicle'],
  lookUpNumber: ['search by number', 'searches by number'],
  suggest: ['list of suggestions', 'lists of suggestions'],
  getCategories: ['list of categories', 'lists of categories'],
  getTags: ['list of tags', 'lists of tags'],
  picture: ['picture'],
  getAvailability: ['availability request'],
  getAvailabilityBatch: ['availability request'],
  createCart: ['new cart'],
  getCart: ['page of a cart', 'pages of a cart'],
  getCurrentCart: ['page of a cart', 'pages of a cart'],
  addCartLine: ['change of a cart', 'changes of a cart'],
  updateCartLine: ['change of a cart', 'changes of a cart'],
  deleteCartLine: ['change of a cart', 'changes of a cart'],
  priceCart: ['cart total'],
  addCartPromotion: ['promotion code', 'promotion codes'],
  checkout: ['checkout'],
  getOrder: ['page of an order', 'pages of an order'],
  listOrders: ['list of orders', 'lists of orders'],
  getInvoice: ['invoice'],
  listInvoices: ['list of invoices', 'lists of invoices'],
  getMe: ['account page'],
  // Refused before its operation was known.
  none: ['request'],
  logInShopper: ['sign-in'],
  registerShopper: ['registration'],
}

/** What a response without the section did not say or show. */
const lacks: Readonly<Record<string, string>> = {
  product: 'without the product',
  availability: 'that did not say whether the product is in stock',
  price: 'without a price',
  tax: 'without the tax',
  pricing: 'without a total',
  lines: 'without names and pictures of the products',
  data: 'without results',
  media: 'without pictures',
}

/** The older value that a response had in place of the section. */
const olderValues: Readonly<Record<string, string>> = {
  product: 'a copy of the product',
  availability: 'an availability',
  price: 'a price',
  tax: 'a tax rate',
}

/** In this order: what hinders shoppers most comes first. */
const effects: readonly DegradedEffect[] = ['refused', 'unconfirmed', 'missing', 'partial', 'older']

interface AffectedSection {
  system: string
  section: string
  /** The age of the oldest value that was shown. */
  oldestMs: number
}

/** Says what the degraded responses showed, one phrase for each operation and effect: `2 product pages without a price`. */
export const describeDegradedResponses = (seen: DegradedResponseCounts, section: AffectedSection): string[] =>
  effects.flatMap((effect) =>
    Object.entries(seen).flatMap(([route, counts]) => {
      const count = counts[effect] ?? 0
      return count === 0 ? [] : [`${countPages(count, route)} ${describeEffect(effect, section)}`]
    }),
  )

/** Counts what shoppers asked for with an operation: `2 product pages`. */
export function countPages(count: number, route: string): string {
  const [one, many] = pages[route] ?? [
    `response to “${describeRoute(route)}”`,
    `responses to “${describeRoute(route)}”`,
  ]
  return formatCount(count, one, many)
}

function describeEffect(effect: DegradedEffect, { system, section, oldestMs }: AffectedSection): string {
  const name = nameSection(system, section)
  if (effect === 'refused') return 'refused with an error'
  if (effect === 'unconfirmed') return 'accepted but not confirmed: the shopper saw that the order is being processed'
  if (effect === 'older')
    return `with ${olderValues[section] ?? name} read up to ${formatDuration(oldestMs)} before, which may have changed since`
  return effect === 'partial' ? `with some ${name} missing` : (lacks[section] ?? `without ${name}`)
}
