import { type Static, type TObject, type TString, Type } from 'typebox'
import type { ResponseSchema } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { parseRows } from '../../parse-rows.ts'

const Rows = responseSchema(Type.Array(Type.Unknown()))

/** Fields of products, as they are to be asked for that every product has of its template: Tryton reads them there in one go, and else for each product anew. */
export const templateFields = (...fields: string[]): string[] => fields.map((field) => `template.${field}`)

/**
 * Records of SKUs, judged one by one. One that does not fit takes its SKU along: another record must not stand in for it.
 * What was read of their templates is as if it were on them, where they have nothing of that name themselves.
 */
export function skuRecordsShape<S extends TObject<{ code: TString }>>(schema: S): ResponseSchema<Static<S>[]> {
  const row = responseSchema(schema)
  return {
    parse(value) {
      const all = Rows.parse(value).map(whole)
      const fitting = parseRows(all, row, (record) => record)
      if (fitting.length === all.length) return fitting
      const kept = new Set<unknown>(fitting)
      const lost = new Set(all.filter((record) => !kept.has(record)).map(codeOf))
      return fitting.filter((record) => !lost.has(codeOf(record)))
    },
  }
}

const whole = (record: unknown) => {
  const template = (record as { 'template.'?: unknown } | null)?.['template.']
  return typeof template === 'object' && template !== null ? { ...template, ...(record as object) } : record
}

const codeOf = (record: unknown) => (record as { code?: unknown } | null)?.code
