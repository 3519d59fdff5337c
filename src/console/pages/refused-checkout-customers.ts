import type { Incident } from '../../diagnostics/reports/incidents.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'
import type { Database } from '../../storage/database.ts'
import { EVERY_MERCHANT } from '../../storage/diagnostics/open-incidents.ts'
import type { RequestRecordRow } from '../../storage/diagnostics/request-records.ts'
import { searchRequestRecords } from '../../storage/diagnostics/search-request-records.ts'
import { modes } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toCustomerPath } from '../page-paths.ts'

export interface CustomerLink {
  id: string
  href: string
}

const MAX_RECORDS = 100
const MAX_MERCHANTS = 5
const MAX_CUSTOMERS = 10

/** Reads customers whose checkout an incident refused, as far as their requests are recorded. */
export async function readRefusedCheckoutCustomers(
  db: Database,
  { impact, tenant, mode, system, section, beganAt, lastAt }: Incident,
  merchants: MerchantDirectory,
): Promise<CustomerLink[]> {
  if (!impact || impact.refusedCheckouts === 0) return []
  const during = { from: new Date(beganAt).toISOString(), to: new Date(lastAt).toISOString() }
  const ofAll = Object.keys(impact.merchants)
    .filter(merchants.shows)
    .slice(0, MAX_MERCHANTS)
    .flatMap((merchant) => modes.map((one) => ({ merchant, mode: one })))
  const tenants = tenant === EVERY_MERCHANT ? ofAll : [{ merchant: tenant, mode }]
  const refused = { kinds: ['degraded'] as const, route: 'checkout', status: { min: 400, max: 599 }, during }
  const found = await Promise.all(
    tenants.map((one) => searchRequestRecords(db, { ...one, ...refused, limit: MAX_RECORDS })),
  )
  const isOfIncident = (row: RequestRecordRow) =>
    tenant === EVERY_MERCHANT
      ? row.code === 'store_unavailable'
      : readSections(row).some((one) => one.name === section && (one.system ?? '') === system && one.code !== null)
  const hrefs = found
    .flat()
    .filter(isOfIncident)
    .flatMap(({ tenant_id, mode: ofRow, customer_id }) =>
      tenant_id === null || customer_id === null
        ? []
        : [[toCustomerPath(tenant_id, ofRow, customer_id), customer_id] as const],
    )
  return [...new Map(hrefs)].slice(0, MAX_CUSTOMERS).map(([href, id]) => ({ href, id }))
}

const readSections = ({ document }: RequestRecordRow) => (JSON.parse(document) as { sections: SectionTrace[] }).sections
