import type { AccountingPort, Credit } from '../../../../src/ports/accounting.ts'
import { another, changeMethod, changeResult, mutantsOf, toNumber } from './mutant.ts'

type CreateCustomer = Required<AccountingPort>['createCustomer']

/** Creates a customer under another reference, for a system in which two customers may have the same email address. */
const createAnother =
  (createCustomer: CreateCustomer): CreateCustomer =>
  async (draft, call) => {
    const reference = another(draft.reference)
    const customer = await createCustomer({ ...draft, reference, email: `${reference}.${draft.email}` }, call)
    return { ...customer, email: draft.email }
  }

export const customerMutants = [
  ...mutantsOf(
    'accounting.customer',
    [
      'marks no address as the default one',
      'complete customer',
      changeResult(
        'accounting.customer',
        (customer) =>
          customer && {
            ...customer,
            addresses: customer.addresses.map((address) => ({ ...address, is_default: false })),
          },
      ),
    ],
    [
      'takes a customer on hold for an active one',
      'on hold',
      changeResult('accounting.customer', (customer) => customer && { ...customer, status: 'ACTIVE' }),
    ],
  ),
  ...mutantsOf('accounting.findCustomer', [
    'compares email addresses case-sensitively',
    'in any case',
    changeResult('accounting.findCustomer', (customer, email) => (customer?.email === email ? customer : null)),
  ]),
  ...mutantsOf(
    'accounting.createCustomer',
    [
      'creates a customer per attempt',
      'eight parallel attempts',
      changeMethod('accounting.createCustomer', createAnother),
    ],
    [
      'creates another customer when a response is lost',
      'whichever response is lost',
      changeMethod(
        'accounting.createCustomer',
        (createCustomer) => (draft, call) =>
          createCustomer(draft, call).catch(() => createAnother(createCustomer)(draft, call)),
      ),
    ],
  ),
]

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
