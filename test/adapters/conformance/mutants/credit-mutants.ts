import type { Credit } from '../../../../src/ports/accounting.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

const changeCredit = (change: (credit: Credit) => Credit) =>
  changeResult('accounting.credit', (credit) => credit && change(credit))

export const creditMutants = mutantsOf(
  'accounting.credit',
  [
    'does not count open orders against the credit',
    'the available credit',
    changeCredit((credit) => ({ ...credit, available_credit: credit.credit_limit })),
  ],
  [
    'returns an amount as a number',
    'as decimal strings',
    changeCredit((credit) => ({ ...credit, overdue_balance: toNumber('42150.25') })),
  ],
  [
    'returns a limit of zero without a credit account',
    'no figures without',
    changeCredit((credit) => ({ ...credit, credit_limit: credit.credit_limit ?? '0.00' })),
  ],
  ['takes an account on hold for a good one', 'on hold', changeCredit((credit) => ({ ...credit, on_hold: false }))],
  [
    'invents an account for an unknown customer',
    'null for an unknown',
    changeMethod(
      'accounting.credit',
      (credit) => async (customer, call) =>
        (await credit(customer, call)) ?? { ...(await credit('C-1009', call))!, customer_id: customer },
    ),
  ],
)
