import { Decimal } from 'decimal.js'
import type { Specification } from '../rpc.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of all models; the readers validate what is made of them.
export type Row = { id: number } & Record<string, any>

/** Stands for a field of Odoo 17 that Odoo 16 does not have, or that has another meaning there. */
interface Substitute {
  /** The fields to read in its place. */
  reads: Specification
  toValue(row: Row, search: (model: string, args: object) => Promise<Row[]>): unknown
}

const renamed = (older: string): Substitute => ({ reads: { [older]: {} }, toValue: (row) => row[older] })
const absent = (value: unknown): Substitute => ({ reads: {}, toValue: () => value })

export const fieldSubstitutes: Record<string, Record<string, Substitute>> = {
  'account.tax': { invoice_label: renamed('description') },
  'stock.move': { quantity: renamed('quantity_done') },
  'loyalty.program': { date_from: absent(false), pricelist_ids: absent([]) },
  'delivery.carrier': {
    fixed_margin: absent(0),
    // A percentage in Odoo 16, a fraction later.
    margin: { reads: { margin: {} }, toValue: ({ margin }) => new Decimal(margin).div(100).toNumber() },
  },
  'account.payment.term.line': {
    nb_days: {
      reads: { months: {}, days: {}, days_after: {} },
      toValue: ({ months, days, days_after }) => 30 * months + days + days_after,
    },
  },
  'account.move': {
    invoice_pdf_report_file: { reads: { name: {} }, toValue: readInvoiceFile },
  },
  'sale.order': {
    // A locked order has a state of its own.
    state: { reads: { state: {} }, toValue: ({ state }) => (state === 'done' ? 'sale' : state) },
  },
}

/** What else the records of a model have, because Odoo 16 treats them in another way. */
export const addedFields: Record<string, Record<string, unknown>> = {
  'delivery.carrier': { has_uniform_terms: true },
}

/** Odoo 16 attaches the document of an invoice when it is printed or sent, under a name of its own. */
async function readInvoiceFile({ id, name }: Row, search: Parameters<Substitute['toValue']>[1]): Promise<unknown> {
  const domain = [
    ['res_model', '=', 'account.move'],
    ['res_id', '=', id],
    ['name', '=', `${String(name).replaceAll('/', '_')}.pdf`],
  ]
  const [file] = await search('ir.attachment', { domain, fields: ['datas'], order: 'id desc', limit: 1 })
  return file?.datas ?? false
}
