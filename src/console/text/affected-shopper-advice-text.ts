import { formatCount } from './format-numbers.ts'

/** What is known of the checkouts that an incident refused. Only an error of the store leaves an order behind. */
export interface RefusedCheckoutFacts {
  /** A few of the customers, and what their refused carts became. */
  customers: readonly { id: string; orders: readonly { isInForce: boolean }[] }[]
  /** Refused carts that became an order. */
  orderedCount: number
  /** Refused carts that are certainly not ordered. */
  unorderedCount: number
  /** Refused checkouts that made no call, so that they placed no order. */
  withoutCallCount: number
  /** It is not known of each refused checkout whether there is an order that stands. */
  areSomeUnknown: boolean
}

export interface ImpactFacts {
  refusedCheckouts: number
  refused: RefusedCheckoutFacts
  /** Refused carts that are known, and those of them that were ordered since. */
  refusedCarts: number
  orderedSince: number
  /** Orders that wait for accounting. */
  pendingCount: number
  /** Carts that are not ordered yet. */
  openCount: number
  isStore: boolean
  /** The system fails at this moment. */
  isOngoing: boolean
}

/** Says what to tell the shoppers whom an incident reached, one sentence each. */
export function adviseOnAffectedShoppers(facts: ImpactFacts): string[] {
  const { refusedCheckouts, pendingCount, openCount, isOngoing } = facts
  const waits = `${formatCount(pendingCount, 'order')} still ${pendingCount === 1 ? 'waits' : 'wait'}: see Orders below.`
  const carts = `Nothing is to be done about the ${openCount === 1 ? 'cart' : 'carts'}: the lines are kept, and the next total is computed anew${isOngoing ? ', once the system works again' : ''}.`
  return [
    ...(refusedCheckouts > 0 ? [adviseOnRefusals(facts)] : []),
    ...(refusedCheckouts === 0 && openCount > 0 ? [carts] : []),
    ...(pendingCount > 0 ? [waits] : []),
  ]
}

const NOTHING_ORDERED = 'Nothing was ordered by the checkouts that were refused: these shoppers can order again'

function adviseOnReordered(orderedSince: number, refusedCarts: number, when: string): string {
  const ordered = formatCount(
    orderedSince,
    'refused cart has been ordered since',
    'refused carts have been ordered since',
  )
  return orderedSince === refusedCarts
    ? `${ordered}: nothing is to be done about that.`
    : `${ordered}. The other refused carts are kept: these shoppers can order again${when}.`
}

/** After an error of the store, the order of a checkout may be stored; after any other error it is not. */
function adviseOnRefusals({ isStore, isOngoing, refused, refusedCarts, orderedSince }: ImpactFacts): string {
  const system = isStore ? 'Forecourt’s database' : 'the system'
  const when = isOngoing ? ` once ${system} works again` : ''
  if (!isStore)
    return orderedSince > 0
      ? adviseOnReordered(orderedSince, refusedCarts, when)
      : `${NOTHING_ORDERED}${when}. Their carts are kept.`
  const names = refused.customers.filter(({ orders }) => orders.some(({ isInForce }) => isInForce)).map(({ id }) => id)
  const others = adviseOnUnordered(refused, names.length > 0 ? 'each other' : 'each', when)
  if (names.length === 0) return others
  const shoppers = names.length === 1 ? 'this shopper' : 'these shoppers'
  return `A refused cart of ${names.join(', ')} is an order now: see Checkouts below. Tell ${shoppers} not to order that cart again. ${others}`.trim()
}

function adviseOnUnordered(refused: RefusedCheckoutFacts, each: string, when: string): string {
  const { orderedCount, unorderedCount, withoutCallCount, areSomeUnknown } = refused
  const refusedEarly = `${formatCount(withoutCallCount, 'refused checkout')} placed no order: ${withoutCallCount === 1 ? 'it was' : 'they were'} refused before any call to a system.`
  if (areSomeUnknown) {
    const [early, which] = withoutCallCount > 0 ? [`${refusedEarly} `, 'each other'] : ['', each]
    return `${early}It is not known of ${which} refused checkout whether an order was stored: look at the customer’s orders in accounting before a shopper orders again.`
  }
  if (unorderedCount === 0)
    return withoutCallCount > 0 && orderedCount === 0 ? `${refusedEarly} These shoppers can order again${when}.` : ''
  return orderedCount > 0
    ? `The other refused carts are not ordered: these shoppers can order them again${when}.`
    : `None of the refused carts was ordered: these shoppers can order again${when}.`
}
