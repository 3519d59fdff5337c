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
  describe('pricing.quote', () => {
    const quoted = (lines: [sku: string, quantity: string][], codes: string[] = []) => {
      const { customerId } = facts().contract!
      const asked = lines.map(([sku, quantity], i) => ({ line_id: `l${i}`, sku, quantity }))
      return subject().pricing!.quote!({ customerId, lines: asked, codes }, call())
    }
    const offered = () => subject().pricing?.quote !== undefined && facts().contract !== undefined

    it("prices lines as the customer's own prices say, and leaves out what has none", async () => {
      if (!offered()) return
      const { contract, unpricedSku, unknownSku } = facts()
      const { sku, customerId } = contract!
      const [price] = await prices([sku], customerId)
      const { lines, promotions } = await quoted([
        [unpricedSku ?? unknownSku, '1'],
        [sku, '1'],
        [unknownSku, '1'],
      ])
      expect(promotions).to.deep.equal([])
      const { amount, list_amount, price_type, tax_included } = price!
      expect(lines).to.deep.equal([
        {
          ...{ line_id: 'l1', sku, unit_price: amount, list_unit_price: list_amount, price_type, tax_included },
          discount: '0.00',
        },
      ])
    })

    it('goes by the summed quantity of a SKU', async () => {
      if (!offered()) return
      const { sku, customerId } = facts().contract!
      const step = (await prices([sku], customerId))[0]?.breaks[0]
      if (!step) return
      const { lines } = await quoted([
        [sku, String(Number(step.min_quantity) - 0.5)],
        [sku, '0.5'],
      ])
      expect(lines.map(({ unit_price }) => unit_price)).to.deep.equal([step.amount, step.amount])
    })

    it('answers one promotion for each code, whatever its case, with the discount or the reason', async () => {
      const { promotions: known, contract } = facts()
      if (!offered() || !known) return
      const typed = [` ${known.applying.toLowerCase()} `, known.refused, 'no such code', known.applying]
      const { lines, promotions } = await quoted([[contract!.sku, '3']], typed)
      expect(promotions.map(({ status, reason }) => reason ?? status)).to.deep.equal([
        ...['APPLIED', known.reason, 'UNKNOWN_CODE', 'NOT_COMBINABLE'],
      ])
      expect(promotions[0]!.code).to.equal(known.applying)
      expect(Number(promotions[0]!.discount)).to.be.greaterThan(0)
      expect(lines[0]!.discount).to.equal(promotions[0]!.discount)
    })

    it('never answers list prices for a customer that is not there', async () => {
      const { unknownCustomerId, skus } = facts()
      if (!offered() || !unknownCustomerId) return
      const lines = [{ line_id: 'l', sku: skus[0], quantity: '1' }]
      await failureOf(subject().pricing!.quote!({ customerId: unknownCustomerId, lines, codes: [] }, call()))
    })

    failsWell(({ pricing }, asked) => {
      const lines = [{ line_id: 'l', sku: 'A', quantity: '1' }]
      return pricing?.quote ? [pricing.quote({ customerId: '1', lines, codes: [] }, asked)] : []
    }, subject)
  })
}
