import { expect } from 'chai'
import { createLinkedCustomer, findCustomerByEmail } from '../../../src/commands/shoppers/find-or-create-customer.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Customer, CustomerDraft } from '../../../src/ports/customer.ts'

type Ledger = Parameters<typeof findCustomerByEmail>[0]

const draft: CustomerDraft = {
  ...{ reference: 'r', email: 'ann@example.com', first_name: 'Ann', last_name: 'Other', company: null, phone: null },
}

/** A ledger that answers every question with a customer of this address. */
const ledgerOf = (email: string) => {
  const answer = async () => ({ customer_id: 'C-1', email }) as Customer
  return {
    backOffice: { account: { findCustomerNow: answer, createCustomer: answer } },
    requestScope: {},
  } as unknown as Ledger
}

describe('a customer of the ledger', () => {
  it('is that of the mailbox, however it is written', async () => {
    for (const email of ['ann@example.com', ' Ann@Example.COM '])
      expect(await findCustomerByEmail(ledgerOf(email), draft.email)).to.include({ customer_id: 'C-1' })
  })

  it('is nobody’s whose mailbox only looks the same to the ledger', async () => {
    for (const email of ['ann@exámple.com', 'ann@example.com.attacker.example', 'a_n@example.com', '']) {
      expect(await findCustomerByEmail(ledgerOf(email), draft.email), email).to.equal(null)
      const refused = await createLinkedCustomer(ledgerOf(email), draft).catch((error) => error)
      expect(refused, email).to.be.instanceOf(UpstreamError)
      expect(refused.failure).to.equal('invalid')
    }
  })
})
