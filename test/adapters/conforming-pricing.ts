import { expect } from 'chai'
import { call, failsWell, failureOf, type Subject } from './subject.ts'

const DECIMAL = /^\d+(\.\d+)?$/

export function conformingPricing(subject: () => Subject): void {
  const facts = () => subject().facts
  const prices = async (skus: readonly string[], customerId: string | null = null) =>
    (await subject().pricing?.prices(skus, customerId, call())) ?? []

  describe('pricing.prices', () => {
    it('answers list prices as decimal strings, one for each SKU', async () => {
      const { skus, unknownSku } = facts()
      const rows = await prices([unknownSku, ...skus, skus[0]])
      if (subject().pricing) expect(rows.map(({ sku }) => sku).sort()).to.deep.equal([...skus].sort())
      for (const price of rows) {
        expect(price).to.have.all.keys(
          ...['sku', 'amount', 'price_type', 'list_amount', 'tax_included', 'uom', 'breaks', 'as_of'],
        )
        expect(price.price_type).to.equal('LIST')
        expect(price.amount).to.match(DECIMAL)
        expect(price.list_amount).to.equal(price.amount)
        expect(price.as_of).to.match(/Z$/)
        const steps = price.breaks.map(({ min_quantity }) => Number(min_quantity))
        expect(steps).to.deep.equal(steps.toSorted((a, b) => a - b))
        for (const { min_quantity, amount } of price.breaks)
          expect(`${min_quantity} ${amount}`).to.match(/^[\d.]+ [\d.]+$/)
      }
    })

    it('never invents one', async () => {
      const { unpricedSku } = facts()
      if (unpricedSku) expect(await prices([unpricedSku])).to.deep.equal([])
      expect(await prices([])).to.deep.equal([])
    })

    it("answers a customer's own price, and nobody else's", async () => {
      const { contract } = facts()
      if (!contract) return
      const [list] = await prices([contract.sku])
      const [own] = await prices([contract.sku], contract.customerId)
      expect(own).to.include({ price_type: 'CONTRACT', list_amount: list!.amount })
      expect(own!.amount).to.match(DECIMAL).and.not.equal(list!.amount)
      expect((await prices([contract.sku]))[0]?.amount).to.equal(list!.amount)
    })

    it('never answers list prices for a customer that is not there', async () => {
      const { skus, unknownCustomerId } = facts()
      const { pricing } = subject()
      if (unknownCustomerId && pricing) await failureOf(pricing.prices(skus, unknownCustomerId, call()))
    })

    failsWell(({ pricing }, asked) => (pricing ? [pricing.prices(['A'], null, asked)] : []), subject)
  })
}
