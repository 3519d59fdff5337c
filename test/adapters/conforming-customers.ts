import { expect } from 'chai'
import type { CustomerDraft } from '../../src/ports/customer.ts'
import { call, failsWell, type Subject } from './subject.ts'

const AMOUNT = /^-?\d+\.\d\d$/

export function conformingCustomers(subject: () => Subject): void {
  const facts = () => subject().facts
  const port = () => subject().accounting ?? { maxSkus: 0, taxes: async () => [] }

  describe('accounting.customer', () => {
    it('answers a customer by id and by mailbox, whatever its case, and nothing for a stranger', async () => {
      const { customer } = facts()
      if (!customer || !port().customer) return
      const found = await port().customer!(customer.customerId, call())
      expect(found).to.include({ customer_id: customer.customerId, email: customer.email, status: 'ACTIVE' })
      expect(found!.addresses.filter(({ is_default }) => is_default)).to.have.lengthOf(1)
      expect(new Set(found!.addresses.map(({ address_id }) => address_id)).size).to.equal(found!.addresses.length)
      expect(await port().findCustomer!(customer.email.toUpperCase(), call())).to.deep.equal(found)
      expect(await port().customer!('no such/customer', call())).to.equal(null)
      expect(await port().findCustomer!('nobody@elsewhere.example', call())).to.equal(null)
    })

    it('makes one customer of one reference, however often and at once it is asked', async () => {
      if (!port().createCustomer || !facts().customer) return
      const draft: CustomerDraft = {
        ...{ reference: 'conformance-customer', email: 'New.One@shopper.example' },
        ...{ first_name: 'New', last_name: 'One', company: null, phone: null },
      }
      const made = await Promise.all(Array.from({ length: 8 }, () => port().createCustomer!(draft, call())))
      for (const customer of made) expect(customer).to.deep.equal(made[0])
      expect(await port().findCustomer!('new.one@shopper.example', call())).to.deep.equal(made[0])
      expect(await port().customer!(made[0]!.customer_id, call())).to.deep.equal(made[0])
      expect(made[0]).to.include({ customer_type: 'INDIVIDUAL', status: 'ACTIVE', first_name: 'New' })
    })
  })

  describe('accounting.credit', () => {
    it('answers what is owed and what is left, as decimal strings', async () => {
      const { customer } = facts()
      if (!customer || !port().credit) return
      const credit = (await port().credit!(customer.customerId, call()))!
      expect(credit).to.include({ customer_id: customer.customerId, enabled: true, on_hold: false })
      for (const name of ['credit_limit', 'balance', 'open_orders', 'available_credit', 'overdue_balance'] as const)
        expect(credit[name], name).to.match(AMOUNT)
      const left = Number(credit.credit_limit) - Number(credit.balance) - Number(credit.open_orders)
      expect(Number(credit.available_credit)).to.be.at.most(left + 0.001)
    })

    it('answers no figures where there is no account, and nothing for a stranger', async () => {
      const { cashCustomerId } = facts()
      if (!cashCustomerId || !port().credit) return
      const none = { credit_limit: null, balance: null, open_orders: null, available_credit: null, aging: null }
      expect(await port().credit!(cashCustomerId, call())).to.deep.include({ enabled: false, terms: null, ...none })
      expect(await port().credit!('nobody', call())).to.equal(null)
    })

    failsWell(({ accounting }, asked) => {
      const { customer, findCustomer, credit } = accounting ?? {}
      return [customer?.('1', asked), findCustomer?.('a@b.example', asked), credit?.('1', asked)].filter(
        (asking) => asking !== undefined,
      )
    }, subject)
  })
}
