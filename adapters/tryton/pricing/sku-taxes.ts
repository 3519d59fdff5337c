import { type Static, Type } from 'typebox'
import type { Tax } from '../../../src/ports/accounting.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { chooseSkuRecord } from '../catalog/choose-sku-record.ts'
import { skuRecordsShape } from '../catalog/sku-record-schema.ts'
import { templateFields } from '../catalog/template-fields.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import { parsePartyId } from './parse-party-id.ts'
import { readPartyPricing } from './party-pricing.ts'
import { applyTaxRule, readTaxRuleLines, type TaxRuleLine } from './tax-rules.ts'
import { combinedTaxRate, createTaxTableReader, type TaxRow, toTaxLabel } from './tax-table.ts'

/** A product with its taxes, which Tryton takes from its accounting category. */
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

/** The tax of a SKU, with the product fields that a sale line needs. */
export interface TaxedProduct extends Tax {
  product: number
  /** The id of the base unit. */
  unit: number
  salable: boolean
  taxIds: number[]
}

/** The taxes of something that is sold to a customer. */
export type CustomerTaxes = Pick<TaxedProduct, 'taxIds' | 'code' | 'name' | 'rate'>

export interface SkuTaxReader {
  /** Returns a function from the taxes of a product to those of a customer; `null` when they are not one rate (a fixed amount, a tax on a tax). */
  readTaxMapping(customerId: string | null, call: Call): Promise<(ids: readonly number[]) => CustomerTaxes | null>
  readTaxes(skus: readonly string[], customerId: string | null, call: Call): Promise<TaxedProduct[]>
  readTaxTable(call: Call): Promise<Map<number, TaxRow>>
}

export function createSkuTaxReader(rpc: Rpc, facts: MerchantFacts): SkuTaxReader {
  const readTaxTable = createTaxTableReader(rpc, () => facts.now().getTime())

  async function readTaxedRows(skus: readonly string[], call: Call): Promise<TaxedRow[]> {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const params = [domain, 0, null, [['id', 'ASC']], TAXED_FIELDS]
    const rows = await rpc(TaxedRows, 'product.product.search_read', params, call)
    return [...Map.groupBy(rows, (row) => row.code).values()].map((records) => chooseSkuRecord(records))
  }

  async function readCustomerRule(customerId: string, call: Call): Promise<TaxRuleLine[]> {
    const { customer_tax_rule } = await readPartyPricing(rpc, parsePartyId(customerId), call, ['customer_tax_rule'])
    return customer_tax_rule ? readTaxRuleLines(rpc, customer_tax_rule, call) : []
  }

  const readTaxMapping: SkuTaxReader['readTaxMapping'] = async (customerId, call) => {
    const [lines, taxes] = await Promise.all([
      customerId === null ? [] : readCustomerRule(customerId, call),
      readTaxTable(call),
    ])
    const today = dateInTimeZone(facts.timeZone, facts.now())
    return (ids) => {
      const taxIds = applyTaxRule(ids, taxes, lines, today)
      const rate = combinedTaxRate(taxIds, taxes, today)
      return rate === null ? null : { taxIds, ...toTaxLabel(taxIds, taxes), rate: formatDecimal(rate) }
    }
  }

  return {
    readTaxTable,
    readTaxMapping,
    async readTaxes(skus, customerId, call) {
      const [rows, toCustomerTaxes] = await Promise.all([readTaxedRows(skus, call), readTaxMapping(customerId, call)])
      return rows.flatMap((row) => toTaxedProduct(row, toCustomerTaxes))
    },
  }
}

/** Returns the tax of a SKU, or nothing when it is not one rate or there is no accounting category. */
function toTaxedProduct(
  row: TaxedRow,
  toCustomerTaxes: (ids: readonly number[]) => CustomerTaxes | null,
): TaxedProduct[] {
  const ids = row['account_category.']?.customer_taxes_used
  const taxes = ids && toCustomerTaxes(ids)
  if (!taxes) return []
  const salable = Boolean(row.active && row.salable)
  return [{ sku: row.code, product: row.id, unit: row.default_uom, salable, ...taxes }]
}
