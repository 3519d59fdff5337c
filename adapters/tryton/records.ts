import { type Static, type TObject, type TString, Type } from 'typebox'
import type { Shape } from '../../src/ports/adapter.ts'
import { shape } from '../../src/upstream/shape.ts'
import { readable } from '../readable.ts'

const Rows = shape(Type.Array(Type.Unknown()))

/** Records of SKUs, judged one by one. One that does not fit takes its SKU along: another record must not stand in for it. */
export function records<S extends TObject<{ code: TString }>>(schema: S): Shape<Static<S>[]> {
  const row = shape(schema)
  return {
    parse(value) {
      const all = Rows.parse(value)
      const fitting = readable(all, row, (record) => record)
      if (fitting.length === all.length) return fitting
      const kept = new Set<unknown>(fitting)
      const lost = new Set(all.filter((record) => !kept.has(record)).map(codeOf))
      return fitting.filter((record) => !lost.has(codeOf(record)))
    },
  }
}

const codeOf = (record: unknown) => (record as { code?: unknown } | null)?.code
