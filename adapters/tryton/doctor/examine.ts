import { UpstreamError } from '../../../src/errors.ts'
import type { Examination, Finding, HttpClient, MerchantFacts } from '../../../src/ports/adapter.ts'
import { createRpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import { type Check, type CheckContext, createFinding } from './check.ts'
import { checkAccounting } from './check-accounting.ts'
import { checkCompany } from './check-company.ts'
import { checkLogin } from './check-login.ts'
import { checkModules } from './check-modules.ts'
import { checkProducts } from './check-products.ts'
import { checkPromotions } from './check-promotions.ts'
import { checkRights } from './check-rights.ts'
import { checkServer } from './check-server.ts'
import { checkSettings } from './check-settings.ts'

/** From the outside in: server, login, company, modules, rights, settings, and then what the books hold. Nothing is written. */
export async function* examine(
  settings: TrytonSettings,
  client: HttpClient,
  facts: MerchantFacts,
  examination: Examination,
): AsyncIterable<Finding> {
  const server = await checkServer(client, examination, facts)
  yield* server
  if (server.some(({ blocks }) => blocks)) return
  const rpc = createRpc(settings, client, () => facts.now().getTime())
  const looker: CheckContext = { ...examination, rpc, settings, facts }
  const account = await checkLogin(looker)
  if ('check' in account) {
    yield account
    return
  }
  const looks: Record<string, Check> = {
    company: (of) => checkCompany(of, account),
    modules: checkModules,
    rights: (of) => checkRights(of, account),
    settings: checkSettings,
    products: checkProducts,
    promotions: checkPromotions,
    ledger: checkAccounting,
  }
  for (const [what, look] of Object.entries(looks)) yield* await looked(what, look, looker)
}

/** One side that cannot be looked at must not hide the others: a missing right is among what is looked for. */
async function looked(what: string, look: Check, looker: CheckContext): Promise<Finding[]> {
  try {
    return await look(looker)
  } catch (error) {
    if (!(error instanceof UpstreamError) || !tellable.has(error.failure)) throw error
    const remedy =
      error.failure === 'timeout'
        ? 'Give each question more time with --timeout <ms>, or look at the load of the server'
        : 'Mend the rights and modules that are told of, and ask again'
    return [createFinding('warning', `examination of ${what}`, `it could not be looked at: ${error.message}`, remedy)]
  }
}

const tellable = new Set(['timeout', 'rejected', 'error', 'invalid', 'not_configured'])
