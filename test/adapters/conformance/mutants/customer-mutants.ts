import type { AccountingPort } from '../../../../src/ports/accounting.ts'
import { anotherReference } from './another-reference.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

type CreateCustomer = Required<AccountingPort>['createCustomer']

/** Creates a customer under another reference, for a system in which two customers may have the same email address. */
const createAnother =
  (createCustomer: CreateCustomer): CreateCustomer =>
  async (draft, call) => {
    const reference = anotherReference(draft.reference)
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
