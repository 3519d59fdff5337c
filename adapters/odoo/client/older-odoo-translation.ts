import type { Call } from '../../../src/ports/call.ts'
import { createOdoo16 } from './odoo-16/odoo-16.ts'
import type { SendToOdoo, Specification } from './rpc.ts'
import { type InvoicedLine, postedInvoiceSpecification, sumPostedInvoices } from './sum-posted-invoices.ts'

type Row = Record<string, unknown>

/** The names that fields of Odoo 19 have in Odoo 18. */
const OLDER_NAMES: Record<string, Record<string, string>> = {
  'sale.order.line': { product_uom_id: 'product_uom', tax_ids: 'tax_id' },
  // `factor` of Odoo 18 is the inverse.
  'uom.uom': { factor: 'factor_inv' },
}
/** The models of those linked records whose fields have other names. */
const LINKED_MODELS: Record<string, Record<string, string>> = { 'sale.order': { order_line: 'sale.order.line' } }
/** The fields of delivery methods that Odoo 16 and 17 do not have. Without limits and tags, a method serves all orders. */
const NEWER_CARRIER_FIELDS: Row = { max_weight: 0, max_volume: 0, must_have_tag_ids: [], excluded_tag_ids: [] }
/** The maximum number of groups of records with the same value that are read. */
const MAX_GROUPS = 10_000

/** Lets Odoo 16, 17 and 18 be called like Odoo 19: translates other names and shapes in calls and in responses. */
export function createOlderOdooTranslation(
  sendAsIs: SendToOdoo,
  readMajorVersion: (call: Call) => Promise<number>,
): SendToOdoo {
  const sendToOdoo16 = createOdoo16(sendAsIs)
  return async (method, args, call) => {
    const version = await readMajorVersion(call)
    const send = version < 17 ? sendToOdoo16 : sendAsIs
    const [model, name] = method.split('/') as [string, string]
    switch (name) {
      case 'web_search_read': {
        const asked = args.specification as Specification
        const specification = toOlderSpecification(version, model, asked)
        const answer = (await send(method, { ...args, specification }, call)) as { records?: Row[] } | null
        return { ...answer, records: answer?.records?.map((row) => toNewerRow(version, model, row, asked)) }
      }
      case 'load':
        return send(
          method,
          { ...args, fields: (args.fields as string[]).map((path) => toOlderPath(model, path)) },
          call,
        )
      case 'formatted_read_group': {
        const { read, toGroups } = toReadGroup(args)
        return toGroups(await send(`${model}/read_group`, read, call))
      }
      case 'has_access':
        return send(`${model}/check_access_rights`, { ...args, raise_exception: false }, call)
      case 'has_group': {
        // In Odoo 16 and 17, only the user of the key can be asked about.
        const { ids, ...named } = args
        return send(method, version < 18 ? named : args, call)
      }
      case 'action_cancel':
        // Without it, Odoo 18 returns a form that asks the user, and cancels nothing.
        return send(method, { ...args, context: { ...(args.context as object), disable_cancel_warning: true } }, call)
      default:
        return send(method, args, call)
    }
  }
}

function toOlderSpecification(version: number, model: string, specification: Specification): Specification {
  const names = OLDER_NAMES[model] ?? {}
  const entries = Object.entries(specification).flatMap(([field, value]): [string, Specification[string]][] => {
    // Odoo 18 has the taxes that replace others at its fiscal positions only.
    if (model === 'account.tax' && field === 'original_tax_ids') return []
    // The markup of Odoo 18 is for display: prices come from the discount.
    if (model === 'product.pricelist.item' && field === 'price_markup') return []
    if (version < 18 && model === 'res.users.apikeys' && field === 'expiration_date') return []
    if (version < 18 && model === 'delivery.carrier' && field in NEWER_CARRIER_FIELDS) return []
    // Odoo 17 counts draft invoices, and Odoo 16 does not have the field.
    if (version < 18 && model === 'sale.order' && field === 'amount_invoiced')
      return Object.entries(postedInvoiceSpecification)
    if (model === 'account.fiscal.position' && field === 'tax_ids')
      return [[field, { fields: { tax_src_id: {}, tax_dest_id: {} } }]]
    const linked = LINKED_MODELS[model]?.[field]
    const fields = linked && value.fields ? toOlderSpecification(version, linked, value.fields) : value.fields
    return [[names[field] ?? field, fields ? { fields } : {}]]
  })
  return Object.fromEntries(entries)
}

function toNewerRow(version: number, model: string, row: Row, asked: Specification): Row {
  const newer = { ...row }
  for (const [field, older] of Object.entries(OLDER_NAMES[model] ?? {})) {
    if (!(older in row)) continue
    newer[field] = row[older]
    delete newer[older]
  }
  for (const [field, linked] of Object.entries(LINKED_MODELS[model] ?? {}))
    if (Array.isArray(row[field]))
      newer[field] = row[field].map((one: Row) => toNewerRow(version, linked, one, asked[field]?.fields ?? {}))
  // A markup upon the cost is a negative discount.
  if (model === 'product.pricelist.item') newer.price_markup = -(row.price_discount as number)
  // Keys of Odoo 16 and 17 never end.
  if (version < 18 && model === 'res.users.apikeys') newer.expiration_date = false
  if (version < 18 && model === 'sale.order' && 'amount_invoiced' in asked) {
    newer.amount_invoiced = sumPostedInvoices(row.order_line as InvoicedLine[])
    delete newer.order_line
  }
  if (model === 'delivery.carrier') Object.assign(newer, version < 18 ? NEWER_CARRIER_FIELDS : { needs_all_tags: true })
  if (model === 'account.tax') newer.original_tax_ids = []
  if (model === 'account.fiscal.position' && 'tax_ids' in row) {
    newer.tax_ids = []
    newer.tax_replacements = row.tax_ids
  }
  return newer
}

/** Returns a path of `load`, such as `order_line/product_uom_id/.id`. */
function toOlderPath(model: string, path: string): string {
  const [field, ...rest] = path.split('/')
  const linked = LINKED_MODELS[model]?.[field!]
  if (linked && rest.length > 0) return `${field}/${toOlderPath(linked, rest.join('/'))}`
  return [OLDER_NAMES[model]?.[field!] ?? field, ...rest].join('/')
}

/** Returns the arguments of `read_group`, and its response in the shape of `formatted_read_group`. Its condition on groups can only be that they have several records. */
function toReadGroup({ domain, groupby, aggregates, having, context }: Record<string, unknown>) {
  const names = (aggregates as string[]).filter((one) => one !== '__count')
  const fields = names.map((aggregate, i) => {
    const [field, operation] = aggregate.split(':')
    return `aggregate${i}:${operation}(${field})`
  })
  const largestFirst = having ? { orderby: '__count desc', limit: MAX_GROUPS } : {}
  return {
    read: { domain, fields, groupby, lazy: false, ...largestFirst, context },
    toGroups(answer: unknown): unknown {
      if (!Array.isArray(answer)) return answer
      return answer
        .filter(({ __count }) => !having || __count > 1)
        .map((group: Row) => ({
          ...group,
          ...Object.fromEntries(names.map((aggregate, i) => [aggregate, group[`aggregate${i}`]])),
        }))
    },
  }
}
