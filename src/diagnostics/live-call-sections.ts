import { type SectionTrace, successTrace } from '../sections/section.ts'
import type { RequestOutcome } from './request-outcome.ts'

/** Calls that need a system to say what holds now. What they fail for want of has that name; where they go well, no section has. */
const sections: Readonly<Record<string, string>> = {
  checkout: 'checkout',
  cancelOrder: 'order',
  priceCart: 'pricing',
  addCartPromotion: 'pricing',
  addCartLine: 'product',
  updateCartLine: 'product',
  registerShopper: 'customer',
  verifyShopper: 'customer',
}

export const liveCallRoutes = Object.keys(sections)

/** What such a call was told well: by each system of which it had every answer. */
export function liveCallSections({
  route,
  status,
  ms,
  sections: told = [],
  calls = [],
}: RequestOutcome): SectionTrace[] {
  const name = sections[route]
  if (name === undefined || status >= 499) return []
  const systems = new Set(calls.map(({ system }) => system))
  for (const { system, outcome } of calls) if (outcome !== 'ok') systems.delete(system)
  for (const { name: one, system } of told) if (one === name && system !== null) systems.delete(system)
  return [...systems].map((system) => successTrace(name, system, ms))
}
