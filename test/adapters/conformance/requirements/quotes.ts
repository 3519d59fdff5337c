import { expect } from 'chai'
import { quoteCart } from '../../../../src/upstream/readers/quote-cart.ts'
import { createCall } from '../../../support/create-call.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { expectDecimal, PRICE } from '../expect-decimal.ts'
import { requirementsOf } from '../requirement.ts'
import type { TestBench } from '../test-bench.ts'
import { UTC_TIMESTAMP } from './items.ts'

function quoted(
  { pricing }: TestBench,
  customerId: string,
  lines: [sku: string, quantity: string][],
  codes: string[] = [],
) {
  const asked = lines.map(([sku, quantity], i) => ({ line_id: `l${i}`, sku, quantity }))
  return quoteCart(pricing, { customerId, lines: asked, codes }, createCall())
}

export const quoteRequirements = requirementsOf(
  'pricing.quote',
  [
    "quotes lines at the customer's own prices, and leaves out unknown SKUs",
    ['contract'],
    async (bench) => {
      const { contract, unknownSku } = bench.facts
      const { sku, customerId } = contract
      const [price] = await bench.pricing.prices([sku], customerId, createCall())
      const answer = await quoted(bench, customerId, [
        [unknownSku, '1'],
        [sku, '1'],
        [unknownSku, '1'],
      ])
      const { amount, list_amount, price_type, tax_included } = price!
      expect(answer.as_of).to.match(UTC_TIMESTAMP)
      expect(answer.promotions).to.deep.equal([])
      const lines = answer.lines.map(({ tax: _, ...line }) => line)
      expect(lines).to.deep.equal([
        {
          line_id: 'l1',
          sku,
          unit_price: amount,
          list_unit_price: list_amount,
          price_type,
          tax_included,
          discount: '0.00',
        },
      ])
    },
  ],
  [
    'has the taxes of accounting, or none',
    ['accounting.taxes', 'customer'],
    async (bench) => {
      const { customerId } = bench.facts.customer
      const skus = bench.facts.skus.slice(0, 3)
      const { lines } = await quoted(
        bench,
        customerId,
        skus.map((sku) => [sku, '1']),
      )
      const taxes = new Map(
        (await bench.accounting.taxes(skus, customerId, createCall())).map(({ sku, ...tax }) => [sku, tax]),
      )
      for (const { sku, tax } of lines)
        expect(tax, sku).to.deep.equal(bench.pricing.quotesTaxes ? taxes.get(sku) : undefined)
    },
  ],
  [
    'applies promotions, where that is an operation of its own, by discounts alone',
    ['pricing.promotions', 'contract', 'promotions'],
    async ({ pricing, facts: { contract, promotions } }) => {
      const { customerId, sku } = contract
      const request = { customerId, lines: [{ line_id: 'l', sku, quantity: '2' }], codes: [promotions.applying] }
      const { lines } = await pricing.quote({ ...request, codes: [] }, createCall())
      const applied = await pricing.promotions(request, lines, createCall())
      const without = (rows: readonly { discount: string }[]) => rows.map(({ discount: _, ...line }) => line)
      expect(without(applied.lines)).to.deep.equal(without(lines))
      expect(Number(applied.lines[0]!.discount)).to.be.above(0)
      expect(applied.promotions.map(({ status }) => status)).to.deep.equal(['APPLIED'])
    },
  ],
  [
    'leaves out a SKU without a price',
    ['contract', 'unpricedSku'],
    async (bench) => {
      const { contract, unpricedSku } = bench.facts
      expect((await quoted(bench, contract.customerId, [[unpricedSku, '1']])).lines).to.deep.equal([])
    },
  ],
  [
    'matches the breaks of the price below, at and above each',
    ['breaks'],
    async (bench) => {
      const { sku, customerId } = bench.facts.breaks
      const price = (await bench.pricing.prices([sku], customerId, createCall()))[0]!
      const steps = [{ min_quantity: '1', amount: price.amount }, ...price.breaks]
      const priceAt = (quantity: number) =>
        steps.findLast(({ min_quantity }) => Number(min_quantity) <= quantity)!.amount
      for (const { min_quantity } of price.breaks) {
        for (const quantity of [Number(min_quantity) - 1, Number(min_quantity), Number(min_quantity) + 1]) {
          const { lines } = await quoted(bench, customerId, [[sku, String(quantity)]])
          expect(lines[0]!.unit_price, `for ${quantity}`).to.equal(priceAt(quantity))
        }
      }
    },
  ],
  [
    'uses the summed quantity of a SKU, also of separate lines',
    ['breaks'],
    async (bench) => {
      const { breaks, skus } = bench.facts
      const { sku, customerId } = breaks
      const step = (await bench.pricing.prices([sku], customerId, createCall()))[0]!.breaks[0]!
      const { lines } = await quoted(bench, customerId, [
        [sku, String(Number(step.min_quantity) - 1)],
        [skus.find((one) => one !== sku)!, '1'],
        [sku, '1'],
      ])
      expect(lines.map(({ line_id }) => line_id)).to.deep.equal(['l0', 'l1', 'l2'])
      expect([lines[0]!.unit_price, lines[2]!.unit_price]).to.deep.equal([step.amount, step.amount])
    },
  ],
  [
    'returns each customer their own quote, also in parallel',
    ['contract'],
    async (bench) => {
      const { sku, customerId, otherId } = bench.facts.contract
      const asked = async (customer: string) => (await quoted(bench, customer, [[sku, '1']])).lines[0]!.unit_price
      const [own, other] = [await asked(customerId), await asked(otherId)]
      expectDecimal(own, PRICE)
      expect(own).to.not.equal(other)
      const who = Array.from({ length: 8 }, (_, i) => i % 2)
      const together = await Promise.all(who.map((i) => asked([customerId, otherId][i]!)))
      expect(together).to.deep.equal(who.map((i) => [own, other][i]))
    },
  ],
  [
    'returns one promotion per code in any case, with the discount or the reason',
    ['contract', 'promotions'],
    async (bench) => {
      const { promotions: known, contract } = bench.facts
      const typed = [` ${known.applying.toLowerCase()} `, known.refused, 'no such code', known.applying]
      const { lines, promotions } = await quoted(bench, contract.customerId, [[contract.sku, '3']], typed)
      expect(promotions.map(({ status, reason }) => reason ?? status)).to.deep.equal([
        'APPLIED',
        known.reason,
        'UNKNOWN_CODE',
        'NOT_COMBINABLE',
      ])
      expect(promotions[0]!.code).to.equal(known.applying)
      expect(Number(promotions[0]!.discount)).to.be.greaterThan(0)
      expect(lines[0]!.discount).to.equal(promotions[0]!.discount)
      expect(Number(lines[0]!.discount)).to.be.at.most(Number(lines[0]!.unit_price) * 3)
    },
  ],
  [
    'never returns list prices for an unknown customer',
    [],
    async (bench) => {
      const { unknownCustomerId, skus } = bench.facts
      for (const customer of [unknownCustomerId, 'no such/customer'])
        await failureOf(quoted(bench, customer, [[skus[0], '1']]))
    },
  ],
)
