import type { Call } from '../../../../src/ports/call.ts'
import type { SendToOdoo } from '../rpc.ts'
import { createLinkedReads } from './linked-reads.ts'
import { toOlderDomain } from './older-domain.ts'

type Args = Record<string, unknown>

/** Lets Odoo 16 be called like Odoo 17. */
export function createOdoo16(send: SendToOdoo): SendToOdoo {
  const linkedReads = createLinkedReads(send)

  async function withOlderDomain(model: string, args: Args, call: Call): Promise<Args> {
    if (!Array.isArray(args.domain)) return args
    const search = async (domain: unknown[]) =>
      (await send(`${model}/search`, { domain, context: args.context }, call)) as number[]
    return { ...args, domain: await toOlderDomain(model, args.domain, search) }
  }

  return async (method, named, call) => {
    const [model, name] = method.split('/') as [string, string]
    const args = await withOlderDomain(model, withOlderContext(named), call)
    if (name === 'web_search_read') return linkedReads.search(model, args, call)
    return send(method, name === 'read_group' ? toOlderGrouping(args) : args, call)
  }
}

/** The quantities of one warehouse have another key in the context. */
function withOlderContext(args: Args): Args {
  const { warehouse_id, ...context } = (args.context ?? {}) as Args
  return warehouse_id === undefined ? args : { ...args, context: { ...context, warehouse: warehouse_id } }
}

/** Odoo 16 sorts groups by an aggregate that is read, but not by the number of records. */
const toOlderGrouping = ({ orderby, fields, ...args }: Args): Args =>
  orderby === '__count desc'
    ? { ...args, fields: [...(fields as string[]), 'records:count(id)'], orderby: 'records desc' }
    : { ...args, fields, ...(orderby !== undefined && { orderby }) }
