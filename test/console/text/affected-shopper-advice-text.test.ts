import { expect } from 'chai'
import { adviseOnAffectedShoppers, type ImpactFacts } from '../../../src/console/text/affected-shopper-advice-text.ts'

const order = { id: 'SO-1', href: '/orders/ord_1', isInForce: true }
const orderOfC9 = [{ id: 'C-9', href: '', orders: [order] }]
const UNORDERED = { customers: [], orderedCount: 0, unorderedCount: 2, withoutCallCount: 0, areSomeUnknown: false }

const facts = { refusedCheckouts: 2, refusedCarts: 2, orderedSince: 0, pendingCount: 0, openCount: 0, isStore: true }

const advise = (refused: ImpactFacts['refused'], isOngoing: boolean) =>
  adviseOnAffectedShoppers({ ...facts, refused, isOngoing })

describe('what to tell shoppers whose checkout an outage of the database refused', () => {
  it('is that they can order again, only once it works while it is ongoing', () => {
    const none = 'None of the refused carts was ordered: these shoppers can order again'
    expect(advise(UNORDERED, false)).to.deep.equal([`${none}.`])
    expect(advise(UNORDERED, true)).to.deep.equal([`${none} once Forecourt’s database works again.`])
  })

  it('is not to order a cart again that is an order', () => {
    const refused = { ...UNORDERED, customers: orderOfC9, orderedCount: 1, unorderedCount: 1 }
    const stored =
      'A refused cart of C-9 is an order now: see Checkouts below. Tell this shopper not to order that cart again.'
    expect(advise(refused, true)).to.deep.equal([
      `${stored} The other refused carts are not ordered: these shoppers can order them again once Forecourt’s database works again.`,
    ])
    expect(advise({ ...refused, unorderedCount: 0, orderedCount: 2 }, true)).to.deep.equal([stored])
    expect(advise({ ...refused, areSomeUnknown: true }, false)).to.deep.equal([
      `${stored} It is not known of each other refused checkout whether an order was stored: look at the customer’s orders in accounting before a shopper orders again.`,
    ])
  })
})

describe('what to tell shoppers whose checkout an outage of a system refused', () => {
  const adviseAfter = (orderedSince: number) =>
    adviseOnAffectedShoppers({ ...facts, refused: UNORDERED, isStore: false, orderedSince, isOngoing: false })

  it('is that they can order again, unless they have', () => {
    expect([0, 1, 2].map((count) => adviseAfter(count)[0])).to.deep.equal([
      'Nothing was ordered by the checkouts that were refused: these shoppers can order again. Their carts are kept.',
      '1 refused cart has been ordered since. The other refused carts are kept: these shoppers can order again.',
      '2 refused carts have been ordered since: nothing is to be done about that.',
    ])
  })
})
