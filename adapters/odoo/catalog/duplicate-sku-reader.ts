import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { OdooIds } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import { chooseSkuRecord } from './choose-sku-record.ts'
import { identitySpecification } from './item-specification.ts'
import { IdentityRow, latestWrite } from './product-schemas.ts'

const Groups = responseSchema(Type.Array(Type.Object({ default_code: Type.String(), 'id:array_agg': OdooIds })))
const Identities = foundShape(IdentityRow)

/** The SKUs that several records have: Odoo does not keep codes unique. */
export interface DuplicateSkus {
  /** The latest change of all records of each such SKU. */
  changedAt: ReadonlyMap<string, string>
  /** The records that do not represent their SKU. */
  otherIds: number[]
}

export type DuplicateSkuReader = (call: Call) => Promise<DuplicateSkus>

export function createDuplicateSkuReader(rpc: Rpc, companyDomain: unknown[], nowMs: () => number): DuplicateSkuReader {
  const load = async (call: Call): Promise<DuplicateSkus> => {
    const args = {
      domain: [['default_code', '!=', false], ['active', 'in', [true, false]], companyDomain],
      groupby: ['default_code'],
      aggregates: ['id:array_agg'],
      having: [['__count', '>', 1]],
    }
    const groups = await rpc.call(Groups, 'product.product/formatted_read_group', args, call)
    if (groups.length === 0) return { changedAt: new Map(), otherIds: [] }
    const ids = groups.flatMap((group) => group['id:array_agg'])
    const domain = [
      ['id', 'in', ids],
      ['active', 'in', [true, false]],
    ]
    const search = { domain, specification: identitySpecification, order: 'id' }
    const { records } = await rpc.search(Identities, 'product.product', search, call)
    const bySku = Map.groupBy(records, ({ default_code }) => default_code)
    return {
      changedAt: new Map([...bySku].map(([sku, rows]) => [sku, latestWrite(rows)])),
      otherIds: [...bySku.values()].flatMap(findOthers),
    }
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

function findOthers(rows: readonly IdentityRow[]): number[] {
  const chosen = chooseSkuRecord(rows)
  return rows.flatMap(({ id }) => (id === chosen.id ? [] : [id]))
}
