import { type Static, Type } from 'typebox'
import type { Tax } from '../../../src/ports/accounting.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { formatDecimal } from '../../amount-format.ts'
import { chooseRecord } from '../catalog/product-rows.ts'
import { skuRecordsShape, templateFields } from '../catalog/sku-records.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonBoolean, TrytonId, toSlug } from '../client/tryton-values.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { parsePartyId, readPartyPricing } from './party-pricing.ts'
import { applyTaxRule, readTaxRuleLines, type TaxRuleLine } from './tax-rules.ts'
import { combinedTaxRate, createTaxTableReader, type TaxRow } from './tax-table.ts'

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
const TaxedRows = skuRecordsShape(TaxedRow)
type TaxedRow = Static<typeof TaxedRow>
const TAXED_FIELDS = [
  'code',
  'active',
  ...templateFields('salable', 'default_uom', 'account_category.customer_taxes_used'),
]

/** A SKU's tax, with what a line of a sale needs of its product. */
export interface TaxedProduct extends Tax {
  product: number
  /** Of the base unit. */
  unit: number
  salable: boolean
  taxIds: number[]
}

export interface SkuTaxReader {
  of(skus: readonly string[], customerId: string | null, call: Call): Promise<TaxedProduct[]>
  table(call: Call): Promise<Map<number, TaxRow>>
}

export function createSkuTaxReader(rpc: Rpc, facts: MerchantFacts): SkuTaxReader {
  const table = createTaxTableReader(rpc, () => facts.now().getTime())

  async function taxed(skus: readonly string[], call: Call): Promise<TaxedRow[]> {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const params = [domain, 0, null, [['id', 'ASC']], TAXED_FIELDS]
    const rows = await rpc(TaxedRows, 'product.product.search_read', params, call)
    return [...Map.groupBy(rows, (row) => row.code).values()].map((records) => chooseRecord(records))
  }

  async function ruleOf(customerId: string, call: Call): Promise<TaxRuleLine[]> {
    const { customer_tax_rule } = await readPartyPricing(rpc, parsePartyId(customerId), call, ['customer_tax_rule'])
    return customer_tax_rule ? readTaxRuleLines(rpc, customer_tax_rule, call) : []
  }

  return {
    table,
    async of(skus, customerId, call) {
      const rule = customerId === null ? [] : ruleOf(customerId, call)
      const [rows, taxes, lines] = await Promise.all([taxed(skus, call), table(call), rule])
      const today = dateInTimeZone(facts.timeZone, facts.now())
      return rows.flatMap((row) => toTaxed(row, taxes, lines, today))
    },
  }
}

/** A SKU whose taxes cannot be said as one rate (no accounting category, a fixed amount, a tax upon a tax) is left out. */
function toTaxed(
  row: TaxedRow,
  taxes: Map<number, TaxRow>,
  rule: readonly TaxRuleLine[],
  today: string,
): TaxedProduct[] {
  const ids = row['account_category.']?.customer_taxes_used
  if (!ids) return []
  const taxIds = applyTaxRule(ids, taxes, rule, today)
  const rate = combinedTaxRate(taxIds, taxes, today)
  if (rate === null) return []
  const salable = Boolean(row.active && row.salable)
  const sold = { sku: row.code, product: row.id, unit: row.default_uom, salable, taxIds }
  return [{ ...sold, ...toTaxLabel(taxIds, taxes), rate: formatDecimal(rate) }]
}

/** What taxes are called together. */
export function toTaxLabel(ids: readonly number[], taxes: Map<number, TaxRow>): { code: string; name: string } {
  const roots = ids.map((id) => taxes.get(id)).filter((tax) => tax !== undefined)
  if (roots.length === 0) return { code: 'NONE', name: 'No tax' }
  const code = roots.map((tax) => toSlug(tax.name).toUpperCase()).join('+')
  return { code, name: roots.map((tax) => tax.description || tax.name).join(', ') }
}
