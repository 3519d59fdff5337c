import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import { isInForce, OptionalDate, type TaxRow } from './tax-table.ts'

const Reference = nullable(TrytonId)
const TaxRuleLine = Type.Object({
  origin_tax: Reference,
  group: Reference,
  tax: Reference,
  keep_origin: nullable(TrytonBoolean),
  start_date: OptionalDate,
  end_date: OptionalDate,
})
const RuleLines = responseSchema(Type.Array(TaxRuleLine))
export type TaxRuleLine = Static<typeof TaxRuleLine>

/** Reads the lines of a tax rule in Tryton's order. Conditions of other modules (countries) are not read. */
export function readTaxRuleLines(rpc: Rpc, rule: number, call: Call): Promise<TaxRuleLine[]> {
  const order = [
    ['sequence', 'ASC NULLS FIRST'],
    ['id', 'ASC'],
  ]
  const params = [[['rule', '=', rule]], 0, null, order, Object.keys(TaxRuleLine.properties)]
  return rpc(RuleLines, 'account.tax.rule.line.search_read', params, call)
}

/** Applies a tax rule as Tryton does: the first matching line replaces a tax by its own, or removes it. */
export function applyTaxRule(
  ids: readonly number[],
  taxes: Map<number, TaxRow>,
  rule: readonly TaxRuleLine[],
  today: string,
): number[] {
  const substituted = ids.flatMap((id) => {
    const line = rule.find((line) => ruleLineApplies(line, taxes.get(id), today))
    if (line === undefined) return [id]
    if (line.tax === null) return []
    return line.keep_origin ? [line.tax, id] : [line.tax]
  })
  const added = rule.find((line) => ruleLineApplies(line, undefined, today))?.tax
  return [...new Set(added ? [...substituted, added] : substituted)]
}

function ruleLineApplies(line: TaxRuleLine, tax: TaxRow | undefined, today: string): boolean {
  const isSameGroup = line.group === (tax?.group ?? null)
  const isSameTax = line.origin_tax === null || line.origin_tax === (tax?.id ?? null)
  return isSameGroup && isSameTax && isInForce(line, today)
}
