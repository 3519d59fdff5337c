import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { type BranchStock, MAX_BRANCHES } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { emptyOr, OdooId } from '../client/odoo-values.ts'
import { readAll } from '../client/read-all.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'

const Warehouses = foundShape(Type.Object({ id: OdooId, code: Type.String(), name: Type.String() }))
const Locations = foundShape(Type.Object({ id: OdooId, warehouse_id: OdooId }))
const Linked = Type.Tuple([OdooId, Type.String()])
/** Odoo has no quantity, not even 0, of goods that staff first counted as none. */
const Sum = emptyOr(Type.Number())
const Quantities = responseSchema(
  Type.Array(
    Type.Object({
      product_id: Linked,
      location_id: Linked,
      'quantity:sum': Sum,
      'reserved_quantity:sum': Sum,
    }),
  ),
)

interface Branch {
  branch_id: string
  name: string
  locations: ReadonlySet<number>
}

/** Returns the stock of a product by branch, in the order of Odoo's warehouses. */
export type BranchesOf = (productId: number) => BranchStock[]
export type BranchStockReader = (productIds: readonly number[], call: Call) => Promise<BranchesOf | null>

/**
 * Returns a reader of the free quantity in each warehouse: one call for all products and warehouses. It returns `null`
 * unless the merchant wants branches and sells from several warehouses.
 */
export function createBranchStockReader({ rpc, settings, nowMs }: OdooContext): BranchStockReader {
  const isWanted = settings.branches === true && settings.warehouse === undefined
  const load = (call: Call) => readBranches(rpc, settings.company ?? 1, call)
  const readTable = createCachedTableLoader(load, { maxAgeMs: 600_000, now: nowMs })

  return async (productIds, call) => {
    if (!isWanted || productIds.length === 0) return null
    const branches = await readTable(call)
    if (branches.length < 2) return null
    const args = {
      domain: [
        ['product_id', 'in', productIds],
        ['location_id', 'in', branches.flatMap(({ locations }) => [...locations])],
      ],
      groupby: ['product_id', 'location_id'],
      aggregates: ['quantity:sum', 'reserved_quantity:sum'],
    }
    const rows = await rpc.call(Quantities, 'stock.quant/formatted_read_group', args, call)
    const byProduct = Map.groupBy(rows, ({ product_id }) => product_id[0])
    return (productId) => {
      const own = byProduct.get(productId) ?? []
      return branches.map(({ branch_id, name, locations }) => {
        const here = own.filter(({ location_id }) => locations.has(location_id[0]))
        return { branch_id, name, available: here.reduce((sum, row) => sum + toFreeQuantity(row), 0) }
      })
    }
  }
}

const toFreeQuantity = (row: { 'quantity:sum': number | false; 'reserved_quantity:sum': number | false }) =>
  (row['quantity:sum'] || 0) - (row['reserved_quantity:sum'] || 0)

/** Reads the warehouses of a company with the locations that Odoo counts for them. */
async function readBranches(rpc: Rpc, company: number, call: Call): Promise<Branch[]> {
  const [{ records }, locations] = await Promise.all([
    rpc.search(
      Warehouses,
      'stock.warehouse',
      {
        domain: [['company_id', '=', company]],
        specification: { code: {}, name: {} },
        order: 'sequence, id',
        limit: MAX_BRANCHES,
      },
      call,
    ),
    readAll(
      rpc,
      Locations,
      'stock.location',
      { domain: [['warehouse_id.company_id', '=', company]], specification: { warehouse_id: {} } },
      call,
    ),
  ])
  const byWarehouse = Map.groupBy(locations, ({ warehouse_id }) => warehouse_id)
  return records.map(({ id, code, name }) => ({
    branch_id: code,
    name,
    locations: new Set(byWarehouse.get(id)?.map((location) => location.id)),
  }))
}
