import type { FixtureCustomer } from '../../fixtures/customers.ts'
import type { Books } from './handlers.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'

type StoredCustomer = FixtureCustomer & { currency: string }

/** The ledger of one account: taxes, customers and what they owe. */
export function openAccounting(store: Store, now: () => Date): Books<'accounting'> {
  const goods = store.all<{ tax: string }>('goods')
  const taxes = store.all<{ code: string; name: string; rate: string }>('taxes')
  const customers = store.all<StoredCustomer>('customers')
  const exempt = taxes.get('EXEMPT')!
  const known = (id: string): StoredCustomer => {
    const customer = customers.get(id)
    if (!customer) throw new Refusal(404, 'not_found', 'there is no such customer')
    return customer
  }

  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      quoteTaxes({ body: { skus, customer_id } }) {
        const free = customer_id !== null && known(customer_id).tax_exempt
        const data = [...new Set(skus)].flatMap((sku) => {
          const good = goods.get(sku)
          return good ? [{ sku, ...(free ? exempt : taxes.get(good.tax)!) }] : []
        })
        return { data }
      },
      readCustomer({ params: { customer_id } }) {
        const { account_number, company, email, phone, customer_type, on_hold, tax_exempt, ...rest } =
          known(customer_id)
        return {
          ...{ customer_id, account_number, company, email, phone, customer_type, tax_exempt },
          status: on_hold ? 'ON_HOLD' : 'ACTIVE',
          payment_methods: rest.payment_methods as ('CREDIT_TERMS' | 'CASH_ON_DELIVERY')[],
          addresses: [rest.address],
        }
      },
      readCredit({ params: { customer_id } }) {
        const { credit, currency, on_hold } = known(customer_id)
        const head = { customer_id, enabled: credit !== null, currency, on_hold, as_of: now().toISOString() }
        if (!credit) {
          const nothing = {
            credit_limit: null,
            balance: null,
            open_orders: null,
            overdue_balance: null,
            terms: null,
            aging: null,
          }
          return { ...head, ...nothing }
        }
        const [current, days_1_30, days_31_60, days_61_90, days_over_90] = credit.aging
        return {
          ...head,
          credit_limit: credit.limit,
          balance: sum(credit.aging),
          open_orders: credit.open_orders,
          overdue_balance: sum(credit.aging.slice(1)),
          terms: credit.terms,
          aging: { current, days_1_30, days_31_60, days_61_90, days_over_90 },
        }
      },
    },
    changes: {},
  }
}

/** Amounts with two decimals, added in cents. */
function sum(amounts: readonly string[]): string {
  const cents = amounts.reduce((total, amount) => total + BigInt(amount.replace('.', '')), 0n)
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
