import { type Mutant, mutateAccounting } from './mutant.ts'

let made = 0
const another = (reference: string) => {
  made += 1
  return `${reference}-${made}`
}

export const writeMutants: Mutant[] = [
  {
    mistake: 'minds capitals in a mailbox',
    duty: ['accounting.findCustomer', 'whatever its case'],
    spoil: mutateAccounting(({ findCustomer }) => ({
      async findCustomer(email, call) {
        const found = await findCustomer(email, call)
        return found?.email === email ? found : null
      },
    })),
  },
  {
    mistake: 'makes a customer at each attempt',
    duty: ['accounting.createCustomer', 'eight attempts at once'],
    spoil: mutateAccounting(({ createCustomer }) => ({
      createCustomer: (draft, call) => createCustomer({ ...draft, reference: another(draft.reference) }, call),
    })),
  },
  {
    mistake: 'makes an order at each attempt',
    duty: ['accounting.placeOrder', 'eight attempts at once'],
    spoil: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) => placeOrder({ ...draft, reference: another(draft.reference) }, call),
    })),
  },
  {
    mistake: 'asks again under another name when an answer is lost',
    duty: ['accounting.placeOrder', 'one order, whichever answer is lost'],
    spoil: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) =>
        placeOrder(draft, call).catch(() => placeOrder({ ...draft, reference: another(draft.reference) }, call)),
    })),
  },
  {
    mistake: 'forgets what it refused',
    duty: ['accounting.placeOrder', 'though they are put right'],
    spoil: mutateAccounting(({ placeOrder }) => ({
      async placeOrder(draft, call) {
        const answer = await placeOrder(draft, call)
        return answer.state === 'placed' ? answer : placeOrder({ ...draft, reference: another(draft.reference) }, call)
      },
    })),
  },
  {
    mistake: 'loses the notes of an order',
    duty: ['accounting.placeOrder', 'keeps all'],
    spoil: mutateAccounting(({ placeOrder }) => ({
      placeOrder: (draft, call) => placeOrder({ ...draft, notes: null }, call),
    })),
  },
  {
    mistake: 'does not look whose order it is',
    duty: ['accounting.orders', "another's to nobody"],
    spoil: mutateAccounting(({ order }) => ({ order: (_, key, call) => order('C-1001', key, call) })),
  },
  {
    mistake: 'lists the oldest orders first',
    duty: ['accounting.orders', 'newest first'],
    spoil: mutateAccounting(({ orders }) => ({
      async orders(customer, query, call) {
        const page = await orders(customer, query, call)
        return { ...page, orders: page.orders.toReversed() }
      },
    })),
  },
  {
    mistake: 'says that it cancelled what it did not',
    duty: ['accounting.cancelOrder', 'gives the credit back'],
    spoil: mutateAccounting(({ order }) => ({
      async cancelOrder(customer, key, why, call) {
        const there = await order(customer, key, call)
        return there && { state: 'cancelled', order: { ...there, status: 'CANCELLED', cancel_reason: why.reason } }
      },
    })),
  },
  {
    mistake: 'does not count open orders against the credit',
    duty: ['accounting.credit', 'what is left'],
    spoil: mutateAccounting(({ credit }) => ({
      async credit(customer, call) {
        const told = await credit(customer, call)
        return told && { ...told, available_credit: told.credit_limit }
      },
    })),
  },
  {
    mistake: 'takes all unpaid invoices for overdue',
    duty: ['accounting.invoices', 'overdue on a day'],
    spoil: mutateAccounting(({ invoices }) => ({
      invoices: (customer, query, call) => invoices(customer, { ...query, today: '9999-12-31' }, call),
    })),
  },
]
