import { odooMerchant } from '../../support/odoo/connect-odoo.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts'

export interface ExaminedOdooOptions {
  /** The databases that the server lists; `null`: it does not tell. */
  databases?: string[] | null
  /** What the user lacks: rights (`read stock.move`), fields (`res.partner.credit`), groups (`stock.group_stock_user`). */
  lacks?: string[]
}

interface Arguments {
  domain?: unknown[]
  operation?: string
  group_ext_id?: string
  allfields?: string[]
  context?: { lang?: string; allowed_company_ids?: number[] }
}

type Reply = readonly [status: number, body: unknown]

const found = (...records: object[]) => ({ length: records.length, records })
const error = (name: string, message: string) => ({ name, message, arguments: [], context: {}, debug: 'Traceback' })
const NO_DATABASE =
  '<!DOCTYPE html>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>No database is selected and the requested URL was not found in the server-wide controllers.</p>'

const languages = [
  ['en_US', 'English (US)'],
  ['fr_FR', 'French'],
]
const companies = [
  { id: 4, name: 'Acme Parts' },
  { id: 1, name: 'Acme' },
]
const tables: Record<string, object> = {
  'res.users': found({ id: 5, company_ids: companies }),
  'res.company': found({
    ...{ id: 1, currency_id: { id: 90, name: 'JMD' }, country_id: { id: 1, code: 'JM' } },
    ...{ tax_calculation_rounding_method: 'round_per_line', account_use_credit_limit: true },
  }),
  'stock.warehouse': found({ id: 1, code: 'WH', name: 'Kingston' }),
  'account.payment.term': found({ id: 1, name: 'Immediate Payment' }, { id: 2, name: '15 Days' }),
  'res.country': found({ id: 1, code: 'JM' }, { id: 2, code: 'US' }),
}
/** What a user without further rights may not do. */
const excessive = ['write product.template', 'write product.pricelist.item', 'write account.move', 'create res.users']
const isCountOfProducts = (domain: unknown) =>
  /^\[.*\["sale_ok","=",true\],\["default_code","!=",false\]\]$/.test(JSON.stringify(domain))

/** Starts a server that responds as Odoo 19 does, with nothing wrong in its only database, `shop`. */
export const startExaminedOdoo = ({ databases = null, lacks = [] }: ExaminedOdooOptions): Promise<ScriptedUpstream> =>
  startScriptedUpstream((response, { path, headers, body }) => {
    const [status, reply] = respondTo(path, headers['x-odoo-database'] as string | undefined, body)
    const isPage = typeof reply === 'string'
    response.writeHead(status, {
      'content-type': isPage ? 'text/html' : 'application/json',
      date: odooMerchant.now().toUTCString(),
    })
    response.end(isPage ? reply : JSON.stringify(reply))

    function respondTo(url: string, database: string | undefined, text: string): Reply {
      if (url === '/web/version') return [200, { version: '19.0' }]
      if (url === '/jsonrpc') return [200, { jsonrpc: '2.0', id: 1, ...callService(text) }]
      if (database !== undefined && database !== 'shop') return [404, NO_DATABASE]
      const [model = '', method = ''] = url.replace('/json/2/', '').split('/')
      return callMethod(model, method, JSON.parse(text) as Arguments)
    }

    function callService(text: string) {
      if (text.includes('"service":"common"')) return { result: { server_serie: '19.0' } }
      return databases
        ? { result: databases }
        : { error: { data: error('odoo.exceptions.AccessDenied', 'Access Denied') } }
    }

    function callMethod(model: string, method: string, args: Arguments): Reply {
      if (method === 'context_get') return [200, { uid: 5, tz: 'UTC', lang: 'en_US' }]
      if (method === 'get_installed') return [200, languages]
      const { lang = 'en_US', allowed_company_ids: [company] = [1] } = args.context ?? {}
      if (!languages.some(([code]) => code === lang))
        return [422, error('odoo.exceptions.UserError', `Invalid language code: ${lang}`)]
      if (!companies.some(({ id }) => id === company))
        return [403, error('odoo.exceptions.AccessError', 'Access to unauthorized or invalid companies.')]
      const right = `${args.operation} ${model}`
      if (method === 'has_access') return [200, !lacks.includes(right) && !excessive.includes(right)]
      if (method === 'has_group')
        return [200, !lacks.includes(args.group_ext_id!) && args.group_ext_id !== 'sale.group_auto_done_setting']
      const readable = args.allfields?.filter((field) => !lacks.includes(`${model}.${field}`))
      if (method === 'fields_get') return [200, Object.fromEntries(readable!.map((field) => [field, { type: 'char' }]))]
      if (method === 'search_count') return [200, isCountOfProducts(args.domain) ? 3 : 0]
      return [200, method === 'formatted_read_group' ? [] : (tables[model] ?? found())]
    }
  })
