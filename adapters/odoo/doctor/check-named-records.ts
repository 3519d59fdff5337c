import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { OdooId, OdooText } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { ExaminationContext } from './examination-context.ts'

const Warehouses = foundShape(Type.Object({ id: OdooId, code: Type.String(), name: Type.String() }))
const PaymentTerms = foundShape(Type.Object({ id: OdooId, name: Type.String() }))
const Countries = foundShape(Type.Object({ id: OdooId, code: OdooText }))

/** Reports settings that name a record that this database does not have: the warehouse, the payment term, the country. */
export async function checkNamedRecords(context: ExaminationContext): Promise<DoctorFinding[]> {
  const findings = [await checkWarehouse(context), await checkCashTerm(context), await checkCountry(context)]
  return findings.filter((finding) => finding !== null)
}

async function checkWarehouse({ rpc, settings, call, systems }: ExaminationContext): Promise<DoctorFinding | null> {
  const { warehouse, company = 1 } = settings
  if (!systems.includes('inventory') || warehouse === undefined) return null
  const search = { domain: [['company_id', '=', company]], specification: { code: {}, name: {} } }
  const { records } = await rpc.search(Warehouses, 'stock.warehouse', search, call())
  if (records.some(({ code, name }) => code === warehouse || name === warehouse)) return null
  const existing = records.map(({ code, name }) => `${code} (${name})`)
  return unknownRecord('warehouse', `there is no warehouse "${warehouse}"`, existing)
}

async function checkCashTerm({ rpc, settings, call, systems }: ExaminationContext): Promise<DoctorFinding | null> {
  const { cash_term: term, company = 1 } = settings
  if (!systems.includes('accounting') || term === undefined) return null
  const search = {
    domain: [['company_id', 'in', [false, company]]],
    specification: { name: {} },
    order: 'sequence, id',
  }
  const { records } = await rpc.search(PaymentTerms, 'account.payment.term', search, call())
  if (records.some(({ name }) => name === term)) return null
  const finding = `there is no payment term "${term}": nobody can order with cash on delivery`
  return unknownRecord(
    'cash_term',
    finding,
    records.map(({ name }) => `"${name}"`),
  )
}

async function checkCountry(context: ExaminationContext): Promise<DoctorFinding | null> {
  const { rpc, settings, call } = context
  const { country } = settings
  if (!hasAnySystem(context, 'pricing', 'accounting') || country === undefined) return null
  const search = { domain: [['code', '!=', false]], specification: { code: {} }, order: 'code' }
  const codes = (await rpc.search(Countries, 'res.country', search, call())).records.flatMap(({ code }) => code || [])
  if (codes.includes(country)) return null
  return unknownRecord('country', `there is no country with the code ${country}`, codes)
}

const unknownRecord = (setting: string, finding: string, existing: readonly string[]) =>
  createFinding('error', setting, finding, `Set {path}.${setting} to one of: ${existing.join(', ') || 'none'}`)
