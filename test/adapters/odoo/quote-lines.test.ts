import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { combineTaxes, type TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'
import type { PricedProduct } from '../../../adapters/odoo/pricing/priced-product.ts'
import { addTaxAmounts, quoteLines } from '../../../adapters/odoo/pricing/quote-lines.ts'

const row = (id: number, kind: TaxRow['kind'], amount: string, isIncluded = false): [number, TaxRow] => [
  id,
  {
    ...{ id, name: `T${id}`, label: `Tax ${id}`, kind, amount: new Decimal(amount), order: id, childIds: [] },
    ...{ isIncluded, affectsLater: false, isAffected: true },
  },
]
const taxes = new Map([
  row(1, 'percent', '15'),
  row(2, 'fixed', '2.5'),
  row(3, 'percent', '15', true),
  row(4, 'percent', '0'),
])
const product = (sku: string, amount: string, ...taxIds: number[]): PricedProduct => ({
  ...{ sku, productId: 1, unitId: 1, isOnSale: true, listPrice: amount, breaks: [] },
  tax: combineTaxes(taxIds, taxes),
  priceAt: () => ({ amount, isRuled: false }),
})
const products = [
  product('RATE', '10.00', 1),
  product('FEE', '10.00', 1, 2),
  product('INCLUDED', '11.50', 3),
  product('NONE', '5.00', 4),
  product('BOTH', '5.00', 1, 3),
]
const quote = (isGlobal: boolean, ...skus: string[]) => {
  const lines = skus.map((sku, i) => ({ line_id: String(i), sku, quantity: '3' }))
  const quantities = new Map(lines.map(({ line_id, quantity }) => [line_id, quantity]))
  const rounding = { isGlobal, digits: 2 }
  return addTaxAmounts(quoteLines(lines, products, '0.00'), quantities, new Map([['0', '10']]), { products, rounding })
}

describe('odoo: lines of a quote', () => {
  it('have rates only where each tax is the rate of its line', () => {
    expect(quote(false, 'RATE')[0]!.tax).to.deep.equal({ code: 'T1', name: 'Tax 1', rate: '0.15' })
  })

  it('have the tax of each line after its discount where one tax is an amount per unit', () => {
    expect(quote(false, 'RATE', 'FEE').map(({ tax }) => tax)).to.deep.equal([
      { code: 'T1', name: 'Tax 1', rate: '0.15', amount: '4.05' },
      { code: 'T1+T2', name: 'Tax 1, Tax 2', rate: '0.15', amount: '12.00' },
    ])
  })

  it('have the tax of each line where the company rounds over the document', () => {
    expect(quote(true, 'RATE')[0]!.tax).to.include({ amount: '4.05' })
  })

  it('have prices with tax together with goods without any tax', () => {
    expect(quote(false, 'INCLUDED', 'NONE').map(({ tax_included }) => tax_included)).to.deep.equal([true, true])
    expect(quote(false, 'RATE', 'NONE').map(({ tax_included }) => tax_included)).to.deep.equal([false, false])
  })

  it('have the amounts of included and excluded taxes together', () => {
    // 15.00 less 10 % is 13.50, of which 15/115 are 1.76; 15 % of the rest are 1.76 too.
    expect(quote(false, 'BOTH')[0]!.tax).to.include({ code: 'T1+T3', rate: '0.3', amount: '3.52' })
  })
})
