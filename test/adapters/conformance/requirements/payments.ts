import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { AMOUNT, expectDecimal } from '../expect-decimal.ts'
import { createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'

export const paymentRequirements = requirementsOf(
  'accounting.payment',
  [
    'reports that an order on account requires no payment',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { customer_id, order_id } = await shop.placed(shop.draft())
      const payment = await bench.accounting.payment(customer_id, { order_id }, createCall())
      expect(payment).to.have.all.keys(
        'session_id',
        'status',
        'amount_due',
        'amount_paid',
        'redirect_url',
        'expires_at',
        'updated_at',
      )
      expect(payment).to.include({ status: 'NOT_REQUIRED', session_id: null })
    },
  ],
  [
    'returns a payment session',
    ['prepaid', 'customer'],
    async ({ accounting, facts: { prepaid, customer } }) => {
      const key = { order_id: prepaid.orderId }
      const payment = (await accounting.payment(customer.customerId, key, createCall()))!
      expect(payment.status).to.equal(prepaid.status)
      for (const figure of [payment.amount_due, payment.amount_paid]) expectDecimal(figure, AMOUNT)
      expect((await accounting.order(customer.customerId, key, createCall()))!.payment_status).to.equal(prepaid.status)
    },
  ],
)
