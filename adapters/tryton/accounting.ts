import { type Static, Type } from 'typebox'
import type { AccountingPort, Tax } from '../../src/ports/accounting.ts'
import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import { plain } from '../amount.ts'
import { partyId, readParty } from './parties.ts'
import { settled } from './products.ts'
import { records } from './records.ts'
import { createRpc } from './rpc.ts'
import type { TrytonSettings } from './settings.ts'
import { applied, type RuleLine, ruleLines } from './tax-rules.ts'
import { rateOf, type TaxRow, taxTable } from './taxes.ts'
import { slug, TrytonBoolean, TrytonId } from './values.ts'

/** Tryton takes a product's taxes from its accounting category. */
const TaxedRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  'account_category.': Type.Optional(
    Type.Union([Type.Object({ customer_taxes_used: Type.Array(TrytonId) }), Type.Null()]),
  ),
})
const TaxedRows = records(TaxedRow)
type TaxedRow = Static<typeof TaxedRow>
const TAXED_FIELDS = ['code', 'active', 'account_category.customer_taxes_used']
const MAX_SKUS = 50

export function accounting(settings: TrytonSettings, client: Client, facts: MerchantFacts): AccountingPort {
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const table = taxTable(rpc, now)

  async function taxed(skus: readonly string[], call: Call): Promise<TaxedRow[]> {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const rows = await rpc(
      TaxedRows,
      'product.product.search_read',
      [domain, 0, null, [['id', 'ASC']], TAXED_FIELDS],
      call,
    )
    return [...Map.groupBy(rows, (row) => row.code).values()].map((records) => settled(records))
  }

  async function ruleOf(customerId: string, call: Call): Promise<RuleLine[]> {
    const { customer_tax_rule } = await readParty(rpc, partyId(customerId), call)
    return customer_tax_rule ? ruleLines(rpc, customer_tax_rule, call) : []
  }

  return {
    maxSkus: MAX_SKUS,
    async taxes(skus, customerId, call) {
      const rule = customerId === null ? [] : ruleOf(customerId, call)
      const [rows, taxes, lines] = await Promise.all([taxed(skus, call), table(call), rule])
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: facts.timeZone }).format(facts.now())
      return rows.flatMap((row) => toTax(row, taxes, lines, today))
    },
  }
}

/** A SKU whose taxes cannot be said as one rate (no accounting category, a fixed amount, a tax upon a tax) is left out. */
function toTax(row: TaxedRow, taxes: Map<number, TaxRow>, rule: readonly RuleLine[], today: string): Tax[] {
  const ids = row['account_category.']?.customer_taxes_used
  if (!ids) return []
  const own = applied(ids, taxes, rule, today)
  const sum = rateOf(own, taxes, today)
  if (sum === null) return []
  const rate = plain(sum)
  const roots = own.map((id) => taxes.get(id)!)
  if (roots.length === 0) return [{ sku: row.code, code: 'NONE', name: 'No tax', rate }]
  const code = roots.map((tax) => slug(tax.name).toUpperCase()).join('+')
  return [{ sku: row.code, code, name: roots.map((tax) => tax.description || tax.name).join(', '), rate }]
}
