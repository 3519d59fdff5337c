import { UpstreamError } from '../../../src/errors.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { createFinding } from '../../create-finding.ts'
import { createRpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import { checkAccountingSettings } from './check-accounting-settings.ts'
import { checkCarriers } from './check-carriers.ts'
import { checkCompany } from './check-company.ts'
import { checkLogin } from './check-login.ts'
import { checkModules } from './check-modules.ts'
import { checkProducts } from './check-products.ts'
import { checkPromotions } from './check-promotions.ts'
import { checkRights } from './check-rights.ts'
import { checkServer } from './check-server.ts'
import { checkSettings } from './check-settings.ts'
import type { Check, ExaminationContext } from './examination-context.ts'

/** Examines a Tryton from the outside in: server, login, company, modules, rights, settings, and then its records. It writes nothing. */
export async function* examine(
  settings: TrytonSettings,
  client: HttpClient,
  facts: MerchantFacts,
  scope: ExaminationScope,
): AsyncIterable<DoctorFinding> {
  const { findings, series } = await checkServer(client, scope, facts)
  yield* findings
  if (series === null) return
  const rpc = createRpc(settings, client, () => facts.now().getTime())
  const context: ExaminationContext = { ...scope, rpc, settings, facts, series: Number(series) }
  const account = await checkLogin(context)
  if ('check' in account) {
    yield account
    return
  }
  const checks: Record<string, Check> = {
    company: (checkContext) => checkCompany(checkContext, account),
    modules: checkModules,
    rights: (checkContext) => checkRights(checkContext, account),
    settings: checkSettings,
    products: checkProducts,
    promotions: checkPromotions,
    ledger: checkAccountingSettings,
    carriers: checkCarriers,
  }
  for (const [name, check] of Object.entries(checks)) yield* await runCheck(name, check, context)
}

/** Runs one check. One that fails must not hide the others: a missing right is one of the things that are checked. */
async function runCheck(name: string, check: Check, context: ExaminationContext): Promise<DoctorFinding[]> {
  try {
    return await check(context)
  } catch (error) {
    if (!(error instanceof UpstreamError) || !REPORTED_FAILURES.has(error.failure)) throw error
    const remedy =
      error.failure === 'timeout'
        ? 'Allow more time per call with --timeout <ms>, or check the load of the server'
        : 'Correct the reported rights and modules, and run the doctor again'
    return [createFinding('warning', `examination of ${name}`, `the check failed: ${error.message}`, remedy)]
  }
}

const REPORTED_FAILURES = new Set(['timeout', 'rejected', 'unauthorized', 'error', 'invalid', 'not_configured'])
