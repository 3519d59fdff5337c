import type { RefusedCustomers } from '../pages/refused-checkout-customers.ts'
import { formatCount } from './format-numbers.ts'

export interface ImpactFacts {
  refusedCheckouts: number
  refused: RefusedCustomers
  /** Orders that wait for accounting. */
  pendingCount: number
  /** Carts that are not ordered yet. */
  openCount: number
  isStore: boolean
  isOngoing: boolean
}

/** Says what to tell the shoppers whom an incident reached, one sentence each. */
export function adviseOnImpact(facts: ImpactFacts): string[] {
  const { refusedCheckouts, pendingCount, openCount, isOngoing } = facts
  const waits = `${formatCount(pendingCount, 'order')} still ${pendingCount === 1 ? 'waits' : 'wait'}: see Orders below.`
  const carts = `Nothing is to be done about the ${openCount === 1 ? 'cart' : 'carts'}: the lines are kept, and the next total is computed anew${isOngoing ? ', once the system works again' : ''}.`
  return [
    ...(refusedCheckouts > 0 ? [adviseOnRefusals(facts)] : []),
    ...(refusedCheckouts === 0 && openCount > 0 ? [carts] : []),
    ...(pendingCount > 0 ? [waits] : []),
  ]
}

/** After an error of the store, the order of a checkout may be stored; after any other error it is not. */
function adviseOnRefusals({ isStore, isOngoing, refused }: ImpactFacts): string {
  const when = isOngoing ? ' once the system works again' : ''
  if (!isStore)
    return `Nothing was ordered by the checkouts that were refused: these shoppers can order again${when}. Their carts are kept.`
  const ordered = refused.customers.filter(({ order }) => order !== null)
  if (ordered.length > 0) {
    const names = ordered.map(({ id }) => id).join(', ')
    return `A refused checkout of ${names} was stored as an order: see Checkouts below. Tell ${ordered.length === 1 ? 'this shopper' : 'these shoppers'} not to order again. Other shoppers whose checkout was refused can order again.`
  }
  if (refused.areAllKnown)
    return 'None of the refused checkouts was stored as an order, and nothing was sent to accounting: these shoppers can order again. Their carts are kept.'
  return 'No order is stored for the refused checkouts whose customer is known. Before another shopper orders again, look for an order of that time on the page of the customer.'
}
