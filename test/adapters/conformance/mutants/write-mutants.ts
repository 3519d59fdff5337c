import type { Order, OrderDraft } from '../../../../src/ports/order.ts'
import type { CompletePorts } from '../test-bench.ts'
import { type Mutant, mutateAccounting } from './mutant.ts'

let made = 0
const sentCancellations = new Set<string>()
const another = (reference: string) => {
  made += 1
  return `${reference}-${made}`
}

/** An adapter that places orders without a member, and shows shoppers what it noted elsewhere. */
const losing = (mistake: string, lost: Partial<OrderDraft>): Mutant => ({
  mistake,
  requirement: ['accounting.placeOrder', 'shows staff'],
  mutate: mutateAccounting(({ placeOrder }) => ({
    async placeOrder(draft, call) {
      const answer = await placeOrder({ ...draft, ...lost }, call)
      return answer.state === 'placed' ? { ...answer, order: { ...answer.order, ...draft } } : answer
    },
  })),
})

/** An adapter whose customers have less credit than their system accepts: of eight orders of a third each, seven are placed. */
export function withLowCredit(ports: CompletePorts): CompletePorts {
  let hidden: number | undefined
  return mutateAccounting(({ credit }) => ({
    async credit(customer, call) {
      const outcome = await credit(customer, call)
      const available = Number(outcome?.available_credit)
      hidden ??= available * 0.6
      return outcome && { ...outcome, available_credit: (available - hidden).toFixed(2) }
    },
  }))(ports)
}

export const writeMutants: Mutant[] = [
  {
    mistake: 'prices each order at random',
    requirement: ['accounting.deliveryOptions', 'the same each time'],
    mutate: mutateAccounting(({ deliveryOptions }) => ({
      async deliveryOptions(query, call) {
        made += 1
        return (await deliveryOptions(query, call)).map((option) => ({ ...option, price: `${made}.00` }))
      },
    })),
  },
  {
    mistake: 'forgets the delivery of an order',
    requirement: ['accounting.deliveryOptions', 'places an order with each'],
    mutate: mutateAccounting(({ order }) => ({
      async order(customer, key, call) {
        const found = await order(customer, key, call)
        return found && { ...found, delivery: null }
      },
    })),
  },
  {
    mistake: 'takes a changed price of the delivery for missing goods',
    requirement: ['accounting.deliveryOptions', 'another price'],
    mutate: mutateAccounting(({ placeOrder }) => ({
      async placeOrder(draft, call) {
        const answer = await placeOrder(draft, call)
        return answer.state === 'refused' && draft.delivery ? { ...answer, reason: 'LINE_UNAVAILABLE' } : answer
      },
    })),
  },
  losing('hides from staff where an order goes', { shipping_address: null }),
  losing('hides the PO of an order from staff', { po_number: null }),
  losing('hides the day of an order from staff', { requested_date: null }),
  {
    mistake: "sells at the draft's own unit price, as a ledger without prices must",
    requirement: ['accounting.placeOrder', "not the system's own"],
    mutate: (ports) => ports,
  },
  {
    mistake: 'sells all lines as the first SKU',
    requirement: ['accounting.placeOrder', 'several SKUs'],
    mutate: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) =>
        placeOrder({ ...draft, lines: draft.lines.map((line) => ({ ...line, sku: draft.lines[0]!.sku })) }, call),
    })),
  },
  {
    mistake: 'takes a partial shipment for a complete one',
    requirement: ['accounting.order', 'partial shipment'],
    mutate: mutateAccounting(({ order }) => ({
      async order(customer, key, call) {
        const found = await order(customer, key, call)
        return found && found.shipments.length > 0 ? { ...found, status: 'SHIPPED' } : found
      },
    })),
  },
  {
    mistake: 'believes that a cancellation was carried out which was only sent',
    requirement: ['accounting.cancelOrder', 'leaves a shipped order shipped'],
    mutate: mutateAccounting(({ cancelOrder, order }) => ({
      cancelOrder: (customer, key, why, call) => {
        sentCancellations.add(JSON.stringify(key))
        return cancelOrder(customer, key, why, call)
      },
      async order(customer, key, call) {
        const found = await order(customer, key, call)
        const isSent = sentCancellations.has(JSON.stringify(key))
        return found && isSent ? ({ ...found, status: 'CANCELLED' } satisfies Order) : found
      },
    })),
  },
  {
    mistake: 'compares email addresses case-sensitively',
    requirement: ['accounting.findCustomer', 'in any case'],
    mutate: mutateAccounting(({ findCustomer }) => ({
      async findCustomer(email, call) {
        const found = await findCustomer(email, call)
        return found?.email === email ? found : null
      },
    })),
  },
  {
    mistake: 'creates a customer per attempt',
    requirement: ['accounting.createCustomer', 'eight parallel attempts'],
    mutate: mutateAccounting(({ createCustomer }) => ({
      createCustomer: (draft, call) => createCustomer({ ...draft, reference: another(draft.reference) }, call),
    })),
  },
  {
    mistake: 'creates an order per attempt',
    requirement: ['accounting.placeOrder', 'eight parallel attempts'],
    mutate: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) => placeOrder({ ...draft, reference: another(draft.reference) }, call),
    })),
  },
  {
    mistake: 'retries under another reference when a response is lost',
    requirement: ['accounting.placeOrder', 'one order, whichever response is lost'],
    mutate: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) =>
        placeOrder(draft, call).catch(() => placeOrder({ ...draft, reference: another(draft.reference) }, call)),
    })),
  },
  {
    mistake: 'forgets its refusals',
    requirement: ['accounting.placeOrder', 'even when they are corrected'],
    mutate: mutateAccounting(({ placeOrder }) => ({
      async placeOrder(draft, call) {
        const answer = await placeOrder(draft, call)
        return answer.state === 'placed' ? answer : placeOrder({ ...draft, reference: another(draft.reference) }, call)
      },
    })),
  },
  {
    mistake: 'loses the notes of an order',
    requirement: ['accounting.placeOrder', 'stores the complete order'],
    mutate: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) => placeOrder({ ...draft, notes: null }, call),
    })),
  },
  {
    mistake: 'does not check the customer of an order',
    requirement: ['accounting.orders', 'of the customer only'],
    mutate: mutateAccounting(({ order }) => ({ order: (_, key, call) => order('C-1001', key, call) })),
  },
  {
    mistake: 'lists the oldest orders first',
    requirement: ['accounting.orders', 'newest first'],
    mutate: mutateAccounting(({ orders }) => ({
      async orders(customer, query, call) {
        const page = await orders(customer, query, call)
        return { ...page, orders: page.orders.toReversed() }
      },
    })),
  },
  {
    mistake: 'reports a cancellation that did not happen',
    requirement: ['accounting.cancelOrder', 'releases the credit'],
    mutate: mutateAccounting(({ order }) => ({
      async cancelOrder(customer, key, why, call) {
        const there = await order(customer, key, call)
        return there && { state: 'cancelled', order: { ...there, status: 'CANCELLED', cancel_reason: why.reason } }
      },
    })),
  },
  {
    mistake: 'does not count open orders against the credit',
    requirement: ['accounting.credit', 'the available credit'],
    mutate: mutateAccounting(({ credit }) => ({
      async credit(customer, call) {
        const outcome = await credit(customer, call)
        return outcome && { ...outcome, available_credit: outcome.credit_limit }
      },
    })),
  },
  {
    mistake: 'leaves the credit limit to Forecourt, and orders out of the credit',
    requirement: ['accounting.placeOrder', 'never lets parallel orders'],
    mutate: mutateAccounting(({ credit }) => ({
      creditReservation: { exposureDelaySeconds: 0 },
      async credit(customer, call) {
        const outcome = await credit(customer, call)
        return outcome && { ...outcome, available_credit: outcome.credit_limit }
      },
    })),
  },
  {
    mistake: 'accepts orders above the credit that it returns',
    requirement: ['accounting.placeOrder', 'never lets parallel orders'],
    mutate: withLowCredit,
  },
  {
    mistake: 'treats all unpaid invoices as overdue',
    requirement: ['accounting.invoices', 'overdue on a date'],
    mutate: mutateAccounting(({ invoices }) => ({
      invoices: (customer, query, call) => invoices(customer, { ...query, today: '9999-12-31' }, call),
    })),
  },
]
