import { type Mutant, mutateAccounting } from './mutant.ts'

let made = 0
const another = (reference: string) => {
  made += 1
  return `${reference}-${made}`
}

export const writeMutants: Mutant[] = [
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
    mistake: 'treats all unpaid invoices as overdue',
    requirement: ['accounting.invoices', 'overdue on a date'],
    mutate: mutateAccounting(({ invoices }) => ({
      invoices: (customer, query, call) => invoices(customer, { ...query, today: '9999-12-31' }, call),
    })),
  },
]
