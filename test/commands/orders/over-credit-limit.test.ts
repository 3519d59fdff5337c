import { expect } from 'chai'
import type { CommandDependencies, CustomerCommandContext } from '../../../src/commands/command-context.ts'
import { checkOut } from '../../../src/commands/orders/check-out.ts'
import type { MerchantConfig } from '../../../src/config/merchant-config.ts'
import { insertCart } from '../../../src/storage/commerce/carts.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
import { stores } from '../../support/stores.ts'

const at = '2026-01-01T00:00:00.000Z'
const customer = {
  customer_id: 'C-1',
  status: 'ACTIVE',
  payment_methods: ['CREDIT_TERMS', 'CASH_ON_DELIVERY'],
  first_name: 'Ann',
  last_name: 'Other',
  company: null,
  email: 'a@b.example',
  phone: null,
  addresses: [],
}
const credit = {
  customer_id: 'C-1',
  enabled: true,
  on_hold: false,
  credit_limit: '5.00',
  balance: '0.00',
  open_orders: '0.00',
  available_credit: '5.00',
  overdue_balance: '0.00',
  terms: null,
  aging: null,
  as_of: at,
}

describe('a checkout over the credit limit', () => {
  for (const [title, holdsCashOrders, isCashAllowed] of [
    ['allows payment on delivery if the limit applies to credit orders only', false, true],
    ['does not allow payment on delivery if the limit applies to all orders', true, false],
  ] as const)
    it(title, async () => {
      const [store] = stores()
      const db = await store!.open()
      try {
        const customer = { merchant: 'acme', mode: 'sandbox' as const, customer_id: 'C-1' }
        const cart = await insertCart(db, customer, { now: at, expiresAt: '2999-01-01T00:00:00.000Z' })
        const line = { line_id: 'a', sku: 'A', name: 'A', quantity: '1', uom: 'each' }
        await db
          .updateTable('carts')
          .set({ lines: JSON.stringify([line]) } as never)
          .where('cart_id', '=', cart.cart_id)
          .execute()
        const outcome = await checkOut(
          createContext(db, { ...credit, ...(holdsCashOrders && { holds_cash_orders: true }) }),
          { cart_id: cart.cart_id, fulfillment_method: 'PICKUP' },
          async () => {},
        )
        expect(outcome).to.include({ state: 'over_credit_limit', shortfall: '5', isCashAllowed })
      } finally {
        await store!.close()
      }
    })
})

function createContext(db: CommandDependencies['db'], currentCredit: object): CustomerCommandContext {
  const now = () => Date.parse(at)
  const price = { unit_price: '10.00', list_unit_price: '10.00', discount: '0.00', tax_included: false }
  const backOffice = {
    today: () => '2026-01-01',
    quoteNow: async () => ({ lines: [{ line_id: 'a', sku: 'A', ...price }], promotions: [], as_of: at }),
    taxesNow: async () => new Map([['A', { code: 'NONE', name: 'None', rate: '0' }]]),
    itemsNow: async () => new Map([['A', { product: { active: true }, banded: { band: 'IN', eta: null } }]]),
    accounting: { customerNow: async () => customer, creditNow: async () => currentCredit },
  } as unknown as BackOffice
  return {
    commerce: { db, now } as CommandDependencies,
    tenant: { merchant: 'acme', mode: 'sandbox' },
    customerId: 'C-1',
    backOffice,
    merchant: { currency: 'JMD' } as MerchantConfig,
    requestScope: createRequestScope({ requestId: 'req-1' }, { totalMs: 5_000, reserveMs: 0 }, now),
  }
}
