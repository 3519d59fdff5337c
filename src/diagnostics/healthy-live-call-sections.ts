import { type SectionTrace, successTrace } from '../sections/section-trace.ts'
import type { FinishedRequest } from './finished-request.ts'

/** The section name of routes that call systems live, without sections of their own: it appears in a response only when a system fails. */
const sectionByRoute: Readonly<Record<string, string>> = {
  checkout: 'checkout',
  cancelOrder: 'order',
  priceCart: 'pricing',
  addCartPromotion: 'pricing',
  addCartLine: 'product',
  updateCartLine: 'product',
  registerShopper: 'customer',
  verifyShopper: 'customer',
}

export const liveCallRoutes = Object.keys(sectionByRoute)

/** Returns a healthy section for each system whose calls of such a route all succeeded. */
export function healthyLiveCallSections({
  route,
  status,
  ms,
  sections = [],
  calls = [],
}: FinishedRequest): SectionTrace[] {
  const name = sectionByRoute[route]
  if (name === undefined || status >= 499) return []
  const systems = new Set(calls.map(({ system }) => system))
  for (const { system, outcome } of calls) if (outcome !== 'ok') systems.delete(system)
  for (const section of sections) if (section.name === name && section.system !== null) systems.delete(section.system)
  return [...systems].map((system) => successTrace(name, system, ms))
}
