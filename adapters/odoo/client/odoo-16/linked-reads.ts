import type { Call } from '../../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../../cached-table-loader.ts'
import type { SendToOdoo, Specification } from '../rpc.ts'
import { addedFields, fieldSubstitutes, type Row } from './field-substitutes.ts'
import { rankFiscalPositions } from './rank-fiscal-positions.ts'

/** The arguments of `web_search_read` in Odoo 17. */
type SearchArgs = Record<string, unknown> & { specification: Specification; context?: object | undefined }

/**
 * Reads the fields of linked records, which Odoo 17 returns with the record, by further calls. These follow one after the
 * other: a linked record is never older than the record that links to it.
 */
export function createLinkedReads(send: SendToOdoo) {
  const readRelation = createRelationReader(send)

  /** Adds linked records to rows, and returns the rows with the fields that Odoo 17 has. */
  async function complete(model: string, found: readonly Row[], { specification, context }: SearchArgs, call: Call) {
    const rows = found.map(toIds)
    for (const [field, { fields }] of Object.entries(toOlderSpecification(model, specification)))
      if (fields) await link(model, rows, field, { specification: fields, context }, call)
    const search = async (other: string, args: object) =>
      (await send(`${other}/search_read`, { ...args, context }, call)) as Row[]
    return Promise.all(rows.map((row) => toNewerRow(model, row, specification, search)))
  }

  /** Replaces the ids in a field by records. Without one, a record was deleted meanwhile. */
  async function link(model: string, rows: readonly Row[], field: string, args: SearchArgs, call: Call): Promise<void> {
    const ids = [...new Set(rows.flatMap((row) => (row[field] || []) as number | number[]))]
    if (ids.length === 0) return
    const relation = await readRelation(model, field, call)
    const fields = fieldNames(relation, args.specification)
    const found = (await send(`${relation}/read`, { ids, fields, context: args.context }, call)) as Row[]
    const records = await complete(relation, found, args, call)
    const byId = new Map<unknown, Row>(records.map((record) => [record.id, record]))
    for (const row of rows) {
      const value = row[field]
      row[field] = Array.isArray(value) ? value.flatMap((id) => byId.get(id) ?? []) : (byId.get(value) ?? false)
    }
  }

  return {
    /** Reads a page of records and their number, like `web_search_read` of Odoo 17. */
    async search(model: string, args: Record<string, unknown>, call: Call): Promise<unknown> {
      const { specification, ...rest } = args as SearchArgs
      const query = { ...rest, fields: fieldNames(model, specification) }
      const page = (await send(`${model}/web_search_read`, query, call)) as { records?: Row[] } | null
      const records = await complete(model, page?.records ?? [], { specification, context: rest.context }, call)
      return { ...page, records: model === 'account.fiscal.position' ? rankFiscalPositions(records) : records }
    },
  }
}

/** Returns a reader of the model that a field links to, which never changes. */
function createRelationReader(send: SendToOdoo) {
  const loaders = new Map<string, (call: Call) => Promise<string>>()
  return (model: string, field: string, call: Call): Promise<string> => {
    const key = `${model}/${field}`
    const load = async (shared: Call) => {
      const args = { allfields: [field], attributes: ['relation'] }
      const answer = (await send(`${model}/fields_get`, args, shared)) as Record<string, { relation: string }>
      return answer[field]!.relation
    }
    const loader =
      loaders.get(key) ?? createCachedTableLoader(load, { maxAgeMs: Number.POSITIVE_INFINITY, now: () => 0 })
    loaders.set(key, loader)
    return loader(call)
  }
}

/** Returns the fields to read for those of Odoo 17. */
function toOlderSpecification(model: string, specification: Specification): Specification {
  const older: Specification = {}
  for (const [field, value] of Object.entries(specification))
    for (const [name, { fields }] of Object.entries(fieldSubstitutes[model]?.[field]?.reads ?? { [field]: value })) {
      const known = older[name]?.fields
      older[name] = known || fields ? { fields: { ...known, ...fields } } : {}
    }
  return older
}

/** Without a name, Odoo 16 would read all fields. */
const fieldNames = (model: string, specification: Specification): string[] => [
  'id',
  ...Object.keys(toOlderSpecification(model, specification)),
]

/** Returns a row with the ids of links, which Odoo 16 returns with a name. */
const toIds = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [field, isLink(value) ? value[0] : value])) as Row

const isLink = (value: unknown): value is [number, string] =>
  Array.isArray(value) && value.length === 2 && typeof value[1] === 'string'

async function toNewerRow(
  model: string,
  row: Row,
  specification: Specification,
  search: (model: string, args: object) => Promise<Row[]>,
): Promise<Row> {
  const values = Object.keys(specification).map(async (field): Promise<[string, unknown]> => {
    const substitute = fieldSubstitutes[model]?.[field]
    return [field, substitute ? await substitute.toValue(row, search) : row[field]]
  })
  return { id: row.id, ...Object.fromEntries(await Promise.all(values)), ...addedFields[model] }
}
