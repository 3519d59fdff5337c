import { expect } from 'chai'
import type { CustomerDraft } from '../../../../src/ports/customer.ts'
import { call } from '../subject.ts'
import { persist, strikingEach } from '../retry-and-interrupt.ts'
import { type Bench, dutiesOf } from '../requirement.ts'
import { UTC } from './items.ts'

const STRANGERS = ['no such/customer', '%', '..', '0', '-1', 'x'.repeat(100)]

function newcomer({ reference }: Bench): CustomerDraft {
  const name = reference()
  return {
    ...{ reference: name, email: `New.${name}@shopper.example` },
    ...{ first_name: 'New', last_name: 'One', company: null, phone: null },
  }
}

export const customerDuties = [
  ...dutiesOf(
    'accounting.customer',
    [
      'answers a customer whole, and nothing for a stranger',
      ['customer'],
      async ({ accounting, facts: { customer, unknownCustomerId } }) => {
        const found = (await accounting.customer(customer.customerId, call()))!
        expect(found).to.include({ customer_id: customer.customerId, email: customer.email, status: 'ACTIVE' })
        expect(found).to.have.all.keys(
          ...['customer_id', 'account_number', 'email', 'first_name', 'last_name', 'company', 'phone'],
          ...['customer_type', 'status', 'payment_methods', 'addresses', 'created_at'],
        )
        expect(found.addresses.filter(({ is_default }) => is_default)).to.have.lengthOf(1)
        expect(new Set(found.addresses.map(({ address_id }) => address_id)).size).to.equal(found.addresses.length)
        for (const { country } of found.addresses) expect(country).to.match(/^[A-Z]{2}$/)
        if (found.created_at !== null) expect(found.created_at).to.match(UTC)
        for (const stranger of [unknownCustomerId, ...STRANGERS])
          expect(await accounting.customer(stranger, call()), stranger).to.equal(null)
      },
    ],
    [
      'tells of one who is on hold',
      ['onHoldCustomerId'],
      async ({ accounting, facts: { onHoldCustomerId } }) => {
        expect(await accounting.customer(onHoldCustomerId, call())).to.include({ status: 'ON_HOLD' })
      },
    ],
  ),
  ...dutiesOf('accounting.findCustomer', [
    'finds a customer by mailbox, whatever its case, and nobody else',
    ['accounting.customer', 'customer'],
    async ({ accounting, facts: { customer } }) => {
      const own = await accounting.customer(customer.customerId, call())
      for (const email of [customer.email, customer.email.toUpperCase(), customer.email.toLowerCase()])
        expect(await accounting.findCustomer(email, call()), email).to.deep.equal(own)
      const [box = '', domain = ''] = customer.email.split('@')
      for (const other of [
        `${box.slice(0, -1)}@${domain}`,
        `x${customer.email}`,
        `%@${domain}`,
        `_${customer.email.slice(1)}`,
        'nobody@elsewhere.example',
      ])
        expect(await accounting.findCustomer(other, call()), other).to.equal(null)
    },
  ]),
  ...dutiesOf(
    'accounting.createCustomer',
    [
      'makes one customer of one reference, under eight attempts at once and one later',
      ['accounting.customer', 'accounting.findCustomer'],
      async (bench) => {
        const draft = newcomer(bench)
        const made = await Promise.all(
          Array.from({ length: 8 }, async () => {
            await using one = bench.connect()
            return await persist(() => one.accounting.createCustomer(draft, call()))
          }),
        )
        for (const customer of made) expect(customer).to.deep.equal(made[0])
        expect(await bench.accounting.createCustomer(draft, call())).to.deep.equal(made[0])
        expect(await bench.accounting.findCustomer(draft.email.toLowerCase(), call())).to.deep.equal(made[0])
        expect(await bench.accounting.customer(made[0]!.customer_id, call())).to.deep.equal(made[0])
        expect(made[0]).to.include({ customer_type: 'INDIVIDUAL', status: 'ACTIVE', first_name: 'New' })
      },
    ],
    [
      'makes one customer of one reference, whichever answer is lost on the way',
      ['accounting.customer', 'accounting.findCustomer'],
      async (bench) => {
        const passage = bench.between.passage()
        await using struck = bench.connect(passage.way)
        await struck.accounting.customer('no such/customer', call())
        const exchanges = await strikingEach(passage, 'lose', async () => {
          const draft = newcomer(bench)
          const told = await struck.accounting.createCustomer(draft, call()).catch((error) => error.failure)
          if (typeof told === 'string') expect(told).to.equal('unavailable')
          const made = await persist(() => bench.accounting.createCustomer(draft, call()))
          if (typeof told === 'object') expect(told).to.deep.equal(made)
          expect(await bench.accounting.findCustomer(draft.email, call())).to.deep.equal(made)
        })
        expect(exchanges).to.be.at.least(1)
      },
    ],
  ),
]

export const creditDuties = dutiesOf(
  'accounting.credit',
  [
    'answers what is owed and what is left, as decimal strings',
    ['customer'],
    async ({ accounting, facts: { customer } }) => {
      const credit = (await accounting.credit(customer.customerId, call()))!
      expect(credit).to.include({ customer_id: customer.customerId, enabled: true, on_hold: false })
      expect(credit.as_of).to.match(UTC)
      const { credit_limit, balance, open_orders, available_credit, overdue_balance } = credit
      for (const figure of [credit_limit, balance, open_orders, available_credit, overdue_balance])
        expect(figure).to.match(/^-?\d+\.\d\d$/)
      const left = Number(credit_limit) - Number(balance) - Number(open_orders)
      expect(Number(available_credit)).to.be.at.most(left + 0.001)
      for (const figure of Object.values(credit.aging ?? {})) expect(figure).to.match(/^-?\d+\.\d\d$/)
    },
  ],
  [
    'answers no figures where there is no account',
    ['cashCustomerId'],
    async ({ accounting, facts: { cashCustomerId } }) => {
      const none = { credit_limit: null, balance: null, open_orders: null, available_credit: null, aging: null }
      const credit = await accounting.credit(cashCustomerId, call())
      expect(credit).to.deep.include({ enabled: false, terms: null, overdue_balance: null, ...none })
    },
  ],
  [
    'tells of one who is on hold',
    ['onHoldCustomerId'],
    async ({ accounting, facts: { onHoldCustomerId } }) => {
      expect(await accounting.credit(onHoldCustomerId, call())).to.include({ on_hold: true })
    },
  ],
  [
    'answers nothing for a stranger',
    [],
    async ({ accounting, facts: { unknownCustomerId } }) => {
      for (const stranger of [unknownCustomerId, ...STRANGERS])
        expect(await accounting.credit(stranger, call()), stranger).to.equal(null)
    },
  ],
)
