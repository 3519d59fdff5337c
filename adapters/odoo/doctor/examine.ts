import { UpstreamError } from '../../../src/errors.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { createFinding } from '../../create-finding.ts'
import { listDatabases } from '../client/list-databases.ts'
import { createRpc } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'
import { checkCompany } from './check-company.ts'
import { checkLanguage } from './check-language.ts'
import { checkLogin } from './check-login.ts'
import { checkNamedRecords } from './check-named-records.ts'
import { checkProducts } from './check-products.ts'
import { checkPromotions } from './check-promotions.ts'
import { checkRights } from './check-rights.ts'
import { checkServer } from './check-server.ts'
import { checkTaxes } from './check-taxes.ts'
import { checkUser } from './check-user.ts'
import { checkUserCompany } from './check-user-company.ts'
import { describeWebsitePriceList } from './describe-website-price-list.ts'
import type { Check, ExaminationContext } from './examination-context.ts'

/** Examines an Odoo server in this order: server, database, key, language, company, rights, settings, records. Writes nothing. */
export async function* examine(
  settings: OdooSettings,
  client: HttpClient,
  facts: MerchantFacts,
  scope: ExaminationScope,
): AsyncIterable<DoctorFinding> {
  const server = await checkServer(settings, client, scope, facts)
  yield* server
  if (server.some(({ blocks }) => blocks)) return
  const context: ExaminationContext = {
    ...scope,
    rpc: createRpc(settings, client),
    listDatabases: (call) => listDatabases(client, call),
    settings,
    facts,
  }
  for (const check of [checkLogin, checkLanguage, checkUserCompany]) {
    const findings = await check(context)
    yield* findings
    if (findings.some(({ blocks }) => blocks)) return
  }
  const checks: Record<string, Check> = {
    user: checkUser,
    rights: checkRights,
    company: checkCompany,
    settings: checkNamedRecords,
    products: checkProducts,
    taxes: checkTaxes,
    'price lists': describeWebsitePriceList,
    promotions: checkPromotions,
  }
  for (const [name, check] of Object.entries(checks)) yield* await runCheck(name, check, context)
}

const REPORTED_FAILURES = new Set([
  'timeout',
  'rejected',
  'unauthorized',
  'error',
  'invalid',
  'not_configured',
  'misconfigured',
])

/** Runs one check. One that fails must not hide the others: a missing right is one of the things that are checked. */
async function runCheck(name: string, check: Check, context: ExaminationContext): Promise<DoctorFinding[]> {
  try {
    return await check(context)
  } catch (error) {
    if (!(error instanceof UpstreamError) || !REPORTED_FAILURES.has(error.failure)) throw error
    const remedy = 'Correct the reported rights and modules, and run the doctor again'
    return [createFinding('warning', `examination of ${name}`, `the check failed: ${error.message}`, remedy)]
  }
}
