import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonBoolean, TrytonDate, TrytonId } from '../client/tryton-values.ts'
import { isInForce, type TaxRow } from './tax-table.ts'

const Reference = Type.Union([TrytonId, Type.Null()])
const Dates = Type.Union([TrytonDate, Type.Null()])
const TaxRuleLine = Type.Object({
  origin_tax: Reference,
  group: Reference,
  tax: Reference,
  keep_origin: Type.Union([TrytonBoolean, Type.Null()]),
  start_date: Dates,
  end_date: Dates,
})
const RuleLines = responseSchema(Type.Array(TaxRuleLine))
export type TaxRuleLine = Static<typeof TaxRuleLine>

/** A customer's tax rule, in Tryton's order. Conditions that other modules add to its lines (countries) are not read. */
export function readTaxRuleLines(rpc: Rpc, rule: number, call: Call): Promise<TaxRuleLine[]> {
  const order = [
    ['sequence', 'ASC NULLS FIRST'],
    ['id', 'ASC'],
  ]
  const params = [[['rule', '=', rule]], 0, null, order, Object.keys(TaxRuleLine.properties)]
  return rpc(RuleLines, 'account.tax.rule.line.search_read', params, call)
}

/** As Tryton applies a rule: the first line that fits puts its tax in a tax's place, or nothing. */
export function applyTaxRule(
  ids: readonly number[],
  taxes: Map<number, TaxRow>,
  rule: readonly TaxRuleLine[],
  today: string,
): number[] {
  const substituted = ids.flatMap((id) => {
    const line = rule.find((line) => fits(line, taxes.get(id), today))
    if (line === undefined) return [id]
    if (line.tax === null) return []
    return line.keep_origin ? [line.tax, id] : [line.tax]
  })
  const added = rule.find((line) => fits(line, undefined, today))?.tax
  return [...new Set(added ? [...substituted, added] : substituted)]
}

function fits(line: TaxRuleLine, tax: TaxRow | undefined, today: string): boolean {
  const sameGroup = line.group === (tax?.group ?? null)
  const sameTax = line.origin_tax === null || line.origin_tax === (tax?.id ?? null)
  return sameGroup && sameTax && isInForce(line, today)
}
