import { expect } from 'chai'
import type { CommandDependencies, CustomerCommandContext } from '../../../src/commands/command-context.ts'
import { checkOut } from '../../../src/commands/orders/check-out.ts'
import type { MerchantConfig } from '../../../src/config/config.ts'
import { insertCart } from '../../../src/storage/commerce/carts.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'
import { createRequestScope } from '../../../src/upstream/request-scope.ts'
import { stores } from '../../support/stores.ts'

const at = '2026-01-01T00:00:00.000Z'
const customer = {
  ...{ customer_id: 'C-1', status: 'ACTIVE', payment_methods: ['CREDIT_TERMS', 'CASH_ON_DELIVERY'] },
  ...{ first_name: 'Ann', last_name: 'Other', company: null, email: 'a@b.example', phone: null, addresses: [] },
}
const credit = {
  ...{ customer_id: 'C-1', enabled: true, on_hold: false, credit_limit: '5.00', balance: '0.00', open_orders: '0.00' },
  ...{ available_credit: '5.00', overdue_balance: '0.00', terms: null, aging: null, as_of: at },
}

describe('a checkout beyond the limit', () => {
  for (const [what, holds, allowed] of [
    ['names cash as a way out where the limit is of credit alone', false, true],
    ['names no cash where the limit holds orders paid on delivery too', true, false],
  ] as const)
    it(what, async () => {
      const [store] = stores()
      const db = await store!.open()
      try {
        const owner = { tenant_id: 'acme', mode: 'sandbox' as const, customer_id: 'C-1' }
        const cart = await insertCart(db, owner, { now: at, expiresAt: '2999-01-01T00:00:00.000Z' })
        const line = { line_id: 'a', sku: 'A', name: 'A', quantity: '1', uom: 'each' }
        await db
          .updateTable('carts')
          .set({ lines: JSON.stringify([line]) } as never)
          .where('cart_id', '=', cart.cart_id)
          .execute()
        const outcome = await checkOut(
          place(db, { ...credit, ...(holds && { holds_cash_orders: true }) }),
          { cart_id: cart.cart_id, fulfillment_method: 'PICKUP' },
          async () => {},
        )
        expect(outcome).to.include({ state: 'over_credit_limit', shortfall: '5', cashAllowed: allowed })
      } finally {
        await store!.close()
      }
    })
})

function place(db: CommandDependencies['db'], ledgers: object): CustomerCommandContext {
  const now = () => Date.parse(at)
  const price = { unit_price: '10.00', list_unit_price: '10.00', discount: '0.00', tax_included: false }
  const backOffice = {
    today: () => '2026-01-01',
    quoteNow: async () => ({ lines: [{ line_id: 'a', sku: 'A', ...price }], promotions: [], as_of: at }),
    taxesNow: async () => new Map([['A', { code: 'NONE', name: 'None', rate: '0' }]]),
    itemsNow: async () => new Map([['A', { product: { active: true }, banded: { band: 'IN', eta: null } }]]),
    account: { customerNow: async () => customer, creditNow: async () => ledgers },
  } as unknown as BackOffice
  return {
    ...{
      commerce: { db, now } as CommandDependencies,
      tenantId: 'acme',
      mode: 'sandbox',
      customerId: 'C-1',
      backOffice,
    },
    merchant: { currency: 'JMD' } as MerchantConfig,
    requestScope: createRequestScope({ requestId: 'req-1' }, { totalMs: 5_000, reserveMs: 0 }, now),
  }
}
