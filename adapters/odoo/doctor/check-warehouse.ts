import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { createFinding } from '../../doctor-findings.ts'
import { OdooId } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { ExaminationContext } from './examination-context.ts'

const Warehouses = foundShape(Type.Object({ id: OdooId, code: Type.String(), name: Type.String() }))

/** Reports settings that name something that does not exist in this database: the warehouse. */
export async function checkWarehouse({ rpc, settings, call, systems }: ExaminationContext): Promise<DoctorFinding[]> {
  const { warehouse, company = 1 } = settings
  if (!systems.includes('inventory') || warehouse === undefined) return []
  const search = { domain: [['company_id', '=', company]], specification: { code: {}, name: {} } }
  const { records } = await rpc.search(Warehouses, 'stock.warehouse', search, call())
  if (records.some(({ code, name }) => code === warehouse || name === warehouse)) return []
  const existing = records.map(({ code, name }) => `${code} (${name})`).join(', ') || 'none'
  return [
    createFinding(
      'error',
      'warehouse',
      `there is no warehouse "${warehouse}"`,
      `Set {path}.warehouse to one of: ${existing}`,
    ),
  ]
}
