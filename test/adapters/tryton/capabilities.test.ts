import { expect } from 'chai'
import { createCapabilities } from '../../../adapters/tryton/client/capabilities.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { UnknownNameError } from '../../../adapters/tryton/client/rpc-errors.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

describe('tryton: modules that a server lacks', () => {
  const goods = (asked: string[], answer: (model: string) => Promise<unknown>) =>
    createCapabilities(
      (async (_: unknown, method: string) => {
        asked.push(method)
        return answer(method)
      }) as unknown as Rpc,
      () => 0,
    )

  it('are detected once per model, and named', async () => {
    const asked: string[] = []
    const capabilities = goods(asked, async (method) => {
      if (method.startsWith('account.invoice')) throw new UnknownNameError('not_configured', 'no such model')
      return method.startsWith('party.party') ? {} : { number: {} }
    })
    expect([
      await capabilities.has('orders', createCall()),
      await capabilities.has('webOrders', createCall()),
    ]).to.deep.equal([true, false])
    for (const _ of [1, 2]) {
      const missing = await failureOf(capabilities.require(createCall(), 'orders', 'invoices', 'creditLimits'))
      expect(missing).to.include({ failure: 'not_configured' })
      expect(missing.message).to.include('account_invoice, account_credit_limit')
    }
    expect(asked.toSorted()).to.deep.equal(
      ['account.invoice', 'party.party', 'sale.sale'].map((model) => `${model}.fields_get`),
    )
  })

  it('are not inferred from a rejected login', async () => {
    const refused = new UpstreamError('rejected', 'the login was rejected')
    const capabilities = goods([], () => Promise.reject(refused))
    expect(await failureOf(capabilities.has('priceLists', createCall()))).to.equal(refused)
  })
})
