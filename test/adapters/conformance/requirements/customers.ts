import { expect } from 'chai'
import type { CustomerDraft } from '../../../../src/ports/customer.ts'
import { createCall } from '../../../support/create-call.ts'
import { interruptEachExchange } from '../interrupt-each-exchange.ts'
import { requirementsOf } from '../requirement.ts'
import { retryWhileRetryable } from '../retry-while-retryable.ts'
import type { TestBench } from '../test-bench.ts'
import { UTC_TIMESTAMP } from './items.ts'

export const STRANGERS = ['no such/customer', '%', '..', '0', '-1', 'x'.repeat(100)]

function newCustomer({ reference }: TestBench): CustomerDraft {
  const name = reference()
  return {
    reference: name,
    email: `New.${name}@shopper.example`,
    first_name: 'New',
    last_name: 'One',
    company: null,
    phone: null,
  }
}

export const customerRequirements = [
  ...requirementsOf(
    'accounting.customer',
    [
      'returns a complete customer, and null for an unknown one',
      ['customer'],
      async ({ accounting, facts: { customer, unknownCustomerId } }) => {
        const found = (await accounting.customer(customer.customerId, createCall()))!
        expect(found).to.include({ customer_id: customer.customerId, email: customer.email, status: 'ACTIVE' })
        expect(found).to.have.all.keys(
          'customer_id',
          'account_number',
          'email',
          'first_name',
          'last_name',
          'company',
          'phone',
          'customer_type',
          'status',
          'payment_methods',
          'addresses',
          'created_at',
        )
        expect(found.addresses.filter(({ is_default }) => is_default)).to.have.lengthOf(1)
        expect(new Set(found.addresses.map(({ address_id }) => address_id)).size).to.equal(found.addresses.length)
        for (const { country } of found.addresses) expect(country).to.match(/^[A-Z]{2}$/)
        if (found.created_at !== null) expect(found.created_at).to.match(UTC_TIMESTAMP)
        for (const stranger of [unknownCustomerId, ...STRANGERS])
          expect(await accounting.customer(stranger, createCall()), stranger).to.equal(null)
      },
    ],
    [
      'reports a customer on hold',
      ['onHoldCustomerId'],
      async ({ accounting, facts: { onHoldCustomerId } }) => {
        expect(await accounting.customer(onHoldCustomerId, createCall())).to.include({ status: 'ON_HOLD' })
      },
    ],
  ),
  ...requirementsOf('accounting.findCustomer', [
    'finds a customer by email address in any case, and no one else',
    ['accounting.customer', 'customer'],
    async ({ accounting, facts: { customer } }) => {
      const own = await accounting.customer(customer.customerId, createCall())
      for (const email of [customer.email, customer.email.toUpperCase(), customer.email.toLowerCase()])
        expect(await accounting.findCustomer(email, createCall()), email).to.deep.equal(own)
      const [box = '', domain = ''] = customer.email.split('@')
      for (const other of [
        `${box.slice(0, -1)}@${domain}`,
        `x${customer.email}`,
        `%@${domain}`,
        `_${customer.email.slice(1)}`,
        'nobody@elsewhere.example',
      ])
        expect(await accounting.findCustomer(other, createCall()), other).to.equal(null)
    },
  ]),
  ...requirementsOf(
    'accounting.createCustomer',
    [
      'creates one customer per reference in eight parallel attempts and a later one',
      ['accounting.customer', 'accounting.findCustomer'],
      async (bench) => {
        const draft = newCustomer(bench)
        const made = await Promise.all(
          Array.from({ length: 8 }, async () => {
            await using one = bench.connect()
            return await retryWhileRetryable(() => one.accounting.createCustomer(draft, createCall()))
          }),
        )
        for (const customer of made) expect(customer).to.deep.equal(made[0])
        expect(await bench.accounting.createCustomer(draft, createCall())).to.deep.equal(made[0])
        expect(await bench.accounting.findCustomer(draft.email.toLowerCase(), createCall())).to.deep.equal(made[0])
        expect(await bench.accounting.customer(made[0]!.customer_id, createCall())).to.deep.equal(made[0])
        expect(made[0]).to.include({ customer_type: 'INDIVIDUAL', status: 'ACTIVE', first_name: 'New' })
      },
    ],
    [
      'creates one customer per reference, whichever response is lost',
      ['accounting.customer', 'accounting.findCustomer'],
      async (bench) => {
        const passage = bench.faultProxy.createRoute()
        await using interrupted = bench.connect(passage.addressFor)
        await interrupted.accounting.customer('no such/customer', createCall())
        const exchanges = await interruptEachExchange(passage, 'lose', async () => {
          const draft = newCustomer(bench)
          const outcome = await interrupted.accounting
            .createCustomer(draft, createCall())
            .catch((error) => error.failure)
          if (typeof outcome === 'string') expect(outcome).to.equal('unavailable')
          const made = await retryWhileRetryable(() => bench.accounting.createCustomer(draft, createCall()))
          if (typeof outcome === 'object') expect(outcome).to.deep.equal(made)
          expect(await bench.accounting.findCustomer(draft.email, createCall())).to.deep.equal(made)
        })
        expect(exchanges).to.be.at.least(1)
      },
    ],
  ),
]
