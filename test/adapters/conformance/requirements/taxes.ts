import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { expectDecimal } from '../expect-decimal.ts'
import { requirementsOf } from '../requirement.ts'
import { HOSTILE_SKUS } from './items.ts'

export const taxRequirements = requirementsOf(
  'accounting.taxes',
  [
    'returns the tax of each SKU once, and leaves out unknown ones',
    ['tax'],
    async ({ accounting, facts: { tax, unknownSku } }) => {
      const rows = await accounting.taxes([unknownSku, tax.sku, tax.sku, ...HOSTILE_SKUS], null, createCall())
      expect(rows.map(({ sku, rate }) => [sku, rate])).to.deep.equal([[tax.sku, tax.rate]])
      expect(rows[0]).to.have.all.keys('sku', 'code', 'name', 'rate')
    },
  ],
  [
    'returns rates as plain decimal fractions',
    [],
    async ({ accounting, facts: { skus } }) => {
      const rows = await accounting.taxes(skus, null, createCall())
      expect(rows.map(({ sku }) => sku).sort()).to.deep.equal([...skus].sort())
      for (const { rate } of rows) {
        expectDecimal(rate, /^\d(\.\d*[1-9])?$/)
        expect(Number(rate)).to.be.lessThan(1)
      }
    },
  ],
  [
    'accepts `maxSkus` SKUs, and none',
    [],
    async ({ accounting, facts: { skus, unknownSku } }) => {
      const many = Array.from({ length: accounting.maxSkus - 1 }, (_, i) => `${unknownSku}-${i}`)
      const rows = await accounting.taxes([...many, skus[0]], null, createCall())
      expect(rows.map(({ sku }) => sku)).to.deep.equal([skus[0]])
      expect(await accounting.taxes([], null, createCall())).to.deep.equal([])
    },
  ],
  [
    'returns no tax for an exempt customer only, also in parallel',
    ['tax', 'exemptCustomerId', 'customer'],
    async ({ accounting, facts: { tax, exemptCustomerId, customer } }) => {
      const who = Array.from({ length: 9 }, (_, i) => [exemptCustomerId, null, customer.customerId][i % 3]!)
      const rates = await Promise.all(who.map((customer) => accounting.taxes([tax.sku], customer, createCall())))
      expect(rates.map((rows) => rows.map(({ rate }) => rate))).to.deep.equal(
        who.map((id) => [id === exemptCustomerId ? '0' : tax.rate]),
      )
    },
  ],
)
