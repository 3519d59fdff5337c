import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { createFinding } from '../../create-finding.ts'
import { OdooId } from '../client/odoo-values.ts'
import { createOptionalFieldReader } from '../client/optional-field-reader.ts'
import { foundShape } from '../client/rpc.ts'
import { createCompanyReader } from '../company-reader.ts'
import { createWebsitePriceListReader } from '../pricing/website-price-list.ts'
import type { ExaminationContext } from './examination-context.ts'

const Names = foundShape(Type.Object({ id: OdooId, name: Type.String() }))

/** Says which prices shoppers see who have not signed in. */
export async function describeWebsitePriceList(context: ExaminationContext): Promise<DoctorFinding[]> {
  if (!context.systems.includes('pricing')) return []
  const { rpc, settings, facts, call } = context
  const nowMs = () => facts.now().getTime()
  const readId = createWebsitePriceListReader({
    ...{ rpc, settings, facts, nowMs },
    readOptionalFields: createOptionalFieldReader(rpc, nowMs),
    readCompany: createCompanyReader(rpc, settings, facts),
  })
  const id = await readId(call())
  if (id === null)
    return [createFinding('note', 'website_price_list', 'anonymous shoppers see the sales prices of the products', '')]
  const search = { domain: [['id', '=', id]], specification: { name: {} } }
  const [list] = (await rpc.search(Names, 'product.pricelist', search, call())).records
  const finding = `anonymous shoppers see the prices of the price list of Odoo's website: ${list?.name ?? id}`
  return [createFinding('note', 'website_price_list', finding, '')]
}
