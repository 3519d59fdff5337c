import { UpstreamError } from '../../../src/errors.ts'
import type { Client, Examination, Finding, MerchantFacts } from '../../../src/ports/adapter.ts'
import { finding, type Look, type Looker } from './check.ts'
import { lookAtCompany } from './check-company.ts'
import { lookAtLedger } from './check-accounting.ts'
import { lookAtLogin } from './check-login.ts'
import { lookAtModules } from './check-modules.ts'
import { lookAtProducts } from './check-products.ts'
import { lookAtPromotions } from './check-promotions.ts'
import { lookAtRights } from './check-rights.ts'
import { lookAtServer } from './check-server.ts'
import { lookAtSettings } from './check-settings.ts'
import { createRpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'

/** From the outside in: server, login, company, modules, rights, settings, and then what the books hold. Nothing is written. */
export async function* examine(
  settings: TrytonSettings,
  client: Client,
  facts: MerchantFacts,
  examination: Examination,
): AsyncIterable<Finding> {
  const server = await lookAtServer(client, examination, facts)
  yield* server
  if (server.some(({ blocks }) => blocks)) return
  const rpc = createRpc(settings, client, () => facts.now().getTime())
  const looker: Looker = { ...examination, rpc, settings, facts }
  const account = await lookAtLogin(looker)
  if ('check' in account) {
    yield account
    return
  }
  const looks: Record<string, Look> = {
    company: (of) => lookAtCompany(of, account),
    modules: lookAtModules,
    rights: (of) => lookAtRights(of, account),
    settings: lookAtSettings,
    products: lookAtProducts,
    promotions: lookAtPromotions,
    ledger: lookAtLedger,
  }
  for (const [what, look] of Object.entries(looks)) yield* await looked(what, look, looker)
}

/** One side that cannot be looked at must not hide the others: a missing right is among what is looked for. */
async function looked(what: string, look: Look, looker: Looker): Promise<Finding[]> {
  try {
    return await look(looker)
  } catch (error) {
    if (!(error instanceof UpstreamError) || !tellable.has(error.failure)) throw error
    const remedy =
      error.failure === 'timeout'
        ? 'Give each question more time with --timeout <ms>, or look at the load of the server'
        : 'Mend the rights and modules that are told of, and ask again'
    return [finding('warning', `examination of ${what}`, `it could not be looked at: ${error.message}`, remedy)]
  }
}

const tellable = new Set(['timeout', 'rejected', 'error', 'invalid', 'not_configured'])
