import type { Payment } from '../../../../src/ports/order.ts'
import { changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

const changePayment = (change: (payment: Payment) => Payment) =>
  changeResult('accounting.payment', (payment) => payment && change(payment))

export const paymentMutants = mutantsOf(
  'accounting.payment',
  [
    'requires a payment of an order on account',
    'an order on account',
    changePayment((payment) => ({ ...payment, status: 'PENDING' })),
  ],
  [
    'takes every payment for a finished one',
    'a payment session',
    changePayment((payment) => ({ ...payment, status: 'PAID' })),
  ],
  [
    'returns the amount of a payment as a number',
    'a payment session',
    changePayment((payment) => ({ ...payment, amount_due: toNumber('1038.25') })),
  ],
)
