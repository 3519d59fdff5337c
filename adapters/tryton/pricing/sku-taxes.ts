import { type Static, Type } from 'typebox'
import type { Tax } from '../../../src/ports/accounting.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { plain } from '../../amount-format.ts'
import { dayIn } from '../time-zone.ts'
import { partyId, readParty } from './party-pricing.ts'
import { settled } from '../catalog/product-rows.ts'
import { ofTemplate, records } from '../catalog/sku-records.ts'
import type { Rpc } from '../client/rpc.ts'
import { applied, type RuleLine, ruleLines } from './tax-rules.ts'
import { rateOf, type TaxRow, taxTable } from './tax-table.ts'
import { slug, TrytonBoolean, TrytonId } from '../client/tryton-values.ts'

/** Tryton takes a product's taxes from its accounting category. */
const TaxedRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  salable: TrytonBoolean,
  default_uom: TrytonId,
  'account_category.': Type.Optional(
    Type.Union([Type.Object({ customer_taxes_used: Type.Array(TrytonId) }), Type.Null()]),
  ),
})
const TaxedRows = records(TaxedRow)
type TaxedRow = Static<typeof TaxedRow>
const TAXED_FIELDS = ['code', 'active', ...ofTemplate('salable', 'default_uom', 'account_category.customer_taxes_used')]

/** A SKU's tax, with what a line of a sale needs of its product. */
export interface TaxedProduct extends Tax {
  product: number
  /** Of the base unit. */
  unit: number
  salable: boolean
  taxIds: number[]
}

export interface SkuTaxes {
  of(skus: readonly string[], customerId: string | null, call: Call): Promise<TaxedProduct[]>
  table(call: Call): Promise<Map<number, TaxRow>>
}

export function skuTaxes(rpc: Rpc, facts: MerchantFacts): SkuTaxes {
  const table = taxTable(rpc, () => facts.now().getTime())

  async function taxed(skus: readonly string[], call: Call): Promise<TaxedRow[]> {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const params = [domain, 0, null, [['id', 'ASC']], TAXED_FIELDS]
    const rows = await rpc(TaxedRows, 'product.product.search_read', params, call)
    return [...Map.groupBy(rows, (row) => row.code).values()].map((records) => settled(records))
  }

  async function ruleOf(customerId: string, call: Call): Promise<RuleLine[]> {
    const { customer_tax_rule } = await readParty(rpc, partyId(customerId), call, ['customer_tax_rule'])
    return customer_tax_rule ? ruleLines(rpc, customer_tax_rule, call) : []
  }

  return {
    table,
    async of(skus, customerId, call) {
      const rule = customerId === null ? [] : ruleOf(customerId, call)
      const [rows, taxes, lines] = await Promise.all([taxed(skus, call), table(call), rule])
      const today = dayIn(facts.timeZone, facts.now())
      return rows.flatMap((row) => toTaxed(row, taxes, lines, today))
    },
  }
}

/** A SKU whose taxes cannot be said as one rate (no accounting category, a fixed amount, a tax upon a tax) is left out. */
function toTaxed(row: TaxedRow, taxes: Map<number, TaxRow>, rule: readonly RuleLine[], today: string): TaxedProduct[] {
  const ids = row['account_category.']?.customer_taxes_used
  if (!ids) return []
  const taxIds = applied(ids, taxes, rule, today)
  const rate = rateOf(taxIds, taxes, today)
  if (rate === null) return []
  const salable = Boolean(row.active && row.salable)
  const sold = { sku: row.code, product: row.id, unit: row.default_uom, salable, taxIds }
  return [{ ...sold, ...named(taxIds, taxes), rate: plain(rate) }]
}

/** What taxes are called together. */
export function named(ids: readonly number[], taxes: Map<number, TaxRow>): { code: string; name: string } {
  const roots = ids.map((id) => taxes.get(id)).filter((tax) => tax !== undefined)
  if (roots.length === 0) return { code: 'NONE', name: 'No tax' }
  const code = roots.map((tax) => slug(tax.name).toUpperCase()).join('+')
  return { code, name: roots.map((tax) => tax.description || tax.name).join(', ') }
}
