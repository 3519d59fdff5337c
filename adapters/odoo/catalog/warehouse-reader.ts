import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { OdooId } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import { settingError } from '../client/setting-error.ts'
import type { OdooSettings } from '../settings.ts'

const Warehouses = foundShape(
  Type.Object({ id: OdooId, code: Type.String(), name: Type.String(), lot_stock_id: OdooId }),
)

export interface Warehouses {
  /** The context of a read of quantities. Without a warehouse, Odoo counts all of the company. */
  context: { warehouse_id?: number }
  /** The locations whose receipts count. */
  stockLocationIds: number[]
}

/** Returns the warehouses that the shop sells from. Odoo ignores the context of an unknown one, or hides every product. */
export function createWarehouseReader(settings: OdooSettings, rpc: Rpc, nowMs: () => number) {
  const load = async (call: Call): Promise<Warehouses> => {
    const search = {
      domain: [['company_id', '=', settings.company ?? 1]],
      specification: { code: {}, name: {}, lot_stock_id: {} },
    }
    const { records } = await rpc.search(Warehouses, 'stock.warehouse', search, call)
    const { warehouse } = settings
    if (warehouse === undefined)
      return { context: {}, stockLocationIds: records.map(({ lot_stock_id }) => lot_stock_id) }
    const chosen = records.find(({ code, name }) => code === warehouse || name === warehouse)
    if (!chosen) throw settingError(`Odoo has no warehouse "${warehouse}" (setting warehouse)`)
    return { context: { warehouse_id: chosen.id }, stockLocationIds: [chosen.lot_stock_id] }
  }
  return createCachedTableLoader(load, { maxAgeMs: 600_000, now: nowMs })
}
