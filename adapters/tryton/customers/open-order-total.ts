import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { companyDomain } from '../company-domain.ts'
import type { TrytonContext } from '../context.ts'

const Totals = responseSchema(Type.Array(Type.Object({ id: TrytonId, total_amount: nullable(TrytonDecimal) })))
const OPEN = ['confirmed', 'processing']

/** Reads the total of a party's confirmed orders with tax, less the part that is invoiced. */
export async function readOpenOrderTotal(context: TrytonContext, party: number, call: Call): Promise<Decimal> {
  const { rpc, capabilities } = context
  if (!(await capabilities.has('orders', call))) return new Decimal(0)
  const sales = [companyDomain(context), ['party', '=', party], ['state', 'in', OPEN]]
  const invoices = [
    companyDomain(context),
    ['sales.party', '=', party],
    ['sales.state', 'in', OPEN],
    ['state', 'in', ['posted', 'paid']],
  ]
  const sumTotals = async (model: string, domain: unknown[]) => {
    const rows = await rpc(Totals, `${model}.search_read`, [domain, 0, null, null, ['total_amount']], call)
    return Decimal.sum(0, ...rows.map((row) => row.total_amount?.decimal ?? 0))
  }
  const [ordered, invoiced] = await Promise.all([sumTotals('sale.sale', sales), sumTotals('account.invoice', invoices)])
  return Decimal.max(0, ordered.minus(invoiced))
}
