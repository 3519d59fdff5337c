import { type Static, type TObject, type TString, Type } from 'typebox'
import type { ResponseSchema } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { parseRows } from '../../parse-rows.ts'

const Rows = responseSchema(Type.Array(Type.Unknown()))

/**
 * The response shape of SKU records, which are parsed one by one. An invalid record drops its SKU: another record of
 * that SKU must not replace it. Fields read from the template appear on the record unless it has a value of its own.
 */
export function skuRecordsShape<S extends TObject<{ code: TString }>>(schema: S): ResponseSchema<Static<S>[]> {
  const row = responseSchema(schema)
  return {
    parse(value) {
      const records = Rows.parse(value).map(mergeTemplate)
      const validRecords = parseRows(records, row, (record) => record)
      if (validRecords.length === records.length) return validRecords
      const valid = new Set<unknown>(validRecords)
      const invalidCodes = new Set(records.filter((record) => !valid.has(record)).map(codeOf))
      return validRecords.filter((record) => !invalidCodes.has(codeOf(record)))
    },
  }
}

function mergeTemplate(record: unknown): unknown {
  const template = (record as { 'template.'?: unknown } | null)?.['template.']
  if (typeof template !== 'object' || template === null) return record
  const ownValues = Object.entries(record as object).filter(([name, value]) => value !== null || !(name in template))
  return { ...template, ...Object.fromEntries(ownValues) }
}

const codeOf = (record: unknown) => (record as { code?: unknown } | null)?.code
