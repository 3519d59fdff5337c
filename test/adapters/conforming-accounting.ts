import { expect } from 'chai'
import { call, failsWell, type Subject } from './subject.ts'

export function conformingAccounting(subject: () => Subject): void {
  const taxes = async (skus: readonly string[], customerId: string | null = null) =>
    (await subject().accounting?.taxes(skus, customerId, call())) ?? []

  describe('accounting.taxes', () => {
    it('answers the tax of each SKU and leaves out unknown ones', async () => {
      const { tax, unknownSku } = subject().facts
      if (!tax || !subject().accounting) return
      const rows = await taxes([unknownSku, tax.sku, tax.sku])
      expect(rows.map(({ sku, rate }) => [sku, rate])).to.deep.equal([[tax.sku, tax.rate]])
      expect(rows[0]).to.have.all.keys('sku', 'code', 'name', 'rate')
      expect(await taxes([])).to.deep.equal([])
    })

    it('answers no tax for an exempt customer', async () => {
      const { tax } = subject().facts
      if (!tax?.exemptCustomerId || !subject().accounting) return
      expect((await taxes([tax.sku], tax.exemptCustomerId)).map(({ rate }) => rate)).to.deep.equal(['0'])
    })

    failsWell(({ accounting }, asked) => (accounting ? [accounting.taxes(['A'], null, asked)] : []), subject)
  })
}
