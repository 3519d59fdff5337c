import type { Decimal } from 'decimal.js'
import { ExactDecimal, formatAmount, sumAmounts } from '../money.ts'
import type { CreditAnswer } from '../protocol/customer-operations.ts'
import type { Invoice } from '../protocol/invoice-operations.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { CustomerStore, StoredCustomer } from './customer-store.ts'
import type { OrderStore } from './order-store.ts'

export interface CustomerCredit {
  /** The most that another order on credit terms may cost; `null`: the customer has no credit account. */
  available(customer: StoredCustomer): Decimal | null
  read(customerId: string): CreditAnswer
  handlers: Pick<OperationHandlers<'accounting'>, 'readCredit'>
}

export interface CustomerCreditParts {
  customers: CustomerStore
  orders: OrderStore
  invoicesOf: (customerId: string) => readonly Invoice[]
  now: () => Date
}

const DAY_MS = 86_400_000
const NO_CREDIT = {
  credit_limit: null,
  balance: null,
  open_orders: null,
  available_credit: null,
  overdue_balance: null,
  terms: null,
  aging: null,
}

/** The credit of customers: the balance brought forward, open invoices and open orders. */
export function openCustomerCredit({ customers, orders, invoicesOf, now }: CustomerCreditParts): CustomerCredit {
  function figuresOf(customer: StoredCustomer) {
    const { customer_id, credit } = customer
    if (!credit) return null
    const aging = credit.aging.map((amount) => new ExactDecimal(amount))
    for (const { due_date, balance } of invoicesOf(customer_id)) {
      const days = Math.floor((now().getTime() - Date.parse(due_date)) / DAY_MS)
      const bucket = days <= 0 ? 0 : days <= 30 ? 1 : days <= 60 ? 2 : days <= 90 ? 3 : 4
      aging[bucket] = aging[bucket]!.plus(balance)
    }
    const balance = sumAmounts(aging)
    const open = orders.openTotal(customer_id).plus(credit.open_orders || 0)
    return { aging, balance, open, available: new ExactDecimal(credit.limit).minus(balance).minus(open) }
  }

  function read(customerId: string): CreditAnswer {
    const customer = customers.require(customerId)
    const { credit, currency, on_hold } = customer
    const figures = figuresOf(customer)
    const base = { customer_id: customerId, enabled: credit !== null, currency, on_hold, as_of: now().toISOString() }
    if (!credit || !figures) return { ...base, ...NO_CREDIT }
    const { aging, balance, open, available } = figures
    const [current, days_1_30, days_31_60, days_61_90, days_over_90] = aging.map(formatAmount) as CreditAging
    return {
      ...base,
      credit_limit: credit.limit,
      balance: formatAmount(balance),
      open_orders: formatAmount(open),
      available_credit: formatAmount(available),
      overdue_balance: formatAmount(sumAmounts(aging.slice(1))),
      terms: credit.terms,
      aging: { current, days_1_30, days_31_60, days_61_90, days_over_90 },
    }
  }

  return {
    available: (customer) => figuresOf(customer)?.available ?? null,
    read,
    handlers: { readCredit: ({ params }) => read(params.customer_id) },
  }
}

type CreditAging = [string, string, string, string, string]
