import { expect } from 'chai'
import { createLinkedCustomer, findCustomerByEmail } from '../../../src/commands/shoppers/find-or-create-customer.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Customer, CustomerDraft } from '../../../src/ports/customer.ts'

type AccountingContext = Parameters<typeof findCustomerByEmail>[0]

const draft: CustomerDraft = {
  reference: 'r',
  email: 'ann@example.com',
  first_name: 'Ann',
  last_name: 'Other',
  company: null,
  phone: null,
}

/** A fake accounting system that returns a customer with this address for every call. */
const createContext = (email: string) => {
  const respond = async () => ({ customer_id: 'C-1', email }) as Customer
  return {
    backOffice: { accounting: { findCustomerNow: respond, createCustomer: respond } },
    requestScope: {},
  } as unknown as AccountingContext
}

describe('the customer of an email address', () => {
  it('is found in any notation of the address', async () => {
    for (const email of ['ann@example.com', ' Ann@Example.COM '])
      expect(await findCustomerByEmail(createContext(email), draft.email)).to.include({ customer_id: 'C-1' })
  })

  it('is not one whose address only looks the same to accounting', async () => {
    for (const email of ['ann@exámple.com', 'ann@example.com.attacker.example', 'a_n@example.com', '']) {
      expect(await findCustomerByEmail(createContext(email), draft.email), email).to.equal(null)
      const refused = await createLinkedCustomer(createContext(email), draft).catch((error) => error)
      expect(refused, email).to.be.instanceOf(UpstreamError)
      expect(refused.failure).to.equal('invalid')
    }
  })
})
