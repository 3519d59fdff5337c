import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startApi } from '../../support/api.ts'
import { cartShopper } from './cart-shopper-client.ts'

/** Returns the table rows of a page by their first column. */
function tablesOf(page: string): Record<string, string[][]> {
  const blocks = page.split('\n\n').filter((block) => block.startsWith('| '))
  const rows = blocks.map((block) =>
    block.split('\n').map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  )
  return Object.fromEntries(rows.map(([head, , ...body]) => [head![0]!, body]))
}

describe('docs/pricing.md', () => {
  it('calculates as the API does', async () => {
    const shown = tablesOf(readFileSync(join(import.meta.dirname, '../../../docs/pricing.md'), 'utf8'))
    await using api = await startApi()
    const shopper = await cartShopper(api)
    const path = await shopper.cart(...shown.sku!.map(([sku, quantity]) => ({ sku, quantity: Number(quantity) })))
    await shopper.read('POST', `${path}/promotions`, { code: 'TYRES15' })
    const { lines, totals } = await shopper.read('POST', `${path}/price`)
    const grossOf = (line: (typeof lines)[number]) =>
      (Number(line.line_total!.amount) - Number(line.tax!.amount) + Number(line.discount!.amount)).toFixed(2)
    expect(
      lines.map((line) => [
        ...[line.sku, String(line.quantity), line.list_unit_price!.amount, line.unit_price!.amount, grossOf(line)],
        ...[line.discount!.amount, line.tax!.amount, line.line_total!.amount],
      ]),
    ).to.deep.equal(shown.sku)
    const { taxes, tax_included, ...sums } = totals!
    expect(Object.entries(sums).map(([name, { amount }]) => [name, amount])).to.deep.equal(shown.total)
    expect(taxes.map(({ code, rate, base, amount }) => [code, rate, base.amount, amount.amount])).to.deep.equal(
      shown.tax,
    )
    expect(tax_included).to.equal(false)
  })
})
