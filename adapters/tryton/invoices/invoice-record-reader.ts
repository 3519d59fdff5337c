import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable, TrytonDate, TrytonDecimal, TrytonId, timestampFields } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { type AddressRow, readAddresses } from '../customers/addresses.ts'

const Text = nullable(Type.String())
const InvoiceRow = Type.Object({
  id: TrytonId,
  ...timestampFields,
  number: Text,
  state: Type.String(),
  party: TrytonId,
  invoice_date: nullable(TrytonDate),
  untaxed_amount: TrytonDecimal,
  tax_amount: TrytonDecimal,
  total_amount: TrytonDecimal,
  amount_to_pay: TrytonDecimal,
  sales: Type.Array(TrytonId),
  invoice_address: nullable(TrytonId),
  payment_lines: Type.Array(TrytonId),
  lines_to_pay: Type.Array(TrytonId),
  'currency.': Type.Object({ code: Type.String() }),
  'payment_term.': Type.Optional(nullable(Type.Object({ name: Type.String() }))),
})
const LineRow = Type.Object({
  invoice: nullable(TrytonId),
  description: Text,
  quantity: nullable(Type.Number()),
  unit_price: nullable(TrytonDecimal),
  amount: TrytonDecimal,
  taxes: Type.Array(TrytonId),
  'product.': Type.Optional(nullable(Type.Object({ code: Text, name: Type.String() }))),
  'unit.': Type.Optional(nullable(Type.Object({ symbol: Type.String() }))),
})
const TaxRow = Type.Object({
  invoice: TrytonId,
  tax: nullable(TrytonId),
  description: Text,
  base: TrytonDecimal,
  amount: TrytonDecimal,
})
const AccountMoveLineRow = Type.Object({
  id: TrytonId,
  date: nullable(TrytonDate),
  maturity_date: nullable(TrytonDate),
  reconciliation: nullable(TrytonId),
  debit: TrytonDecimal,
  credit: TrytonDecimal,
  description: Text,
  'journal.': Type.Optional(nullable(Type.Object({ name: Type.String() }))),
  'move.': Type.Object({ number: Text }),
})
const SaleRow = Type.Object({ id: TrytonId, number: Text, reference: Text, web_id: Type.Optional(Text) })
const Rows = {
  invoices: responseSchema(Type.Array(InvoiceRow)),
  lines: responseSchema(Type.Array(LineRow)),
  taxes: responseSchema(Type.Array(TaxRow)),
  money: responseSchema(Type.Array(AccountMoveLineRow)),
  sales: responseSchema(Type.Array(SaleRow)),
}
export type InvoiceRow = Static<typeof InvoiceRow>
export type AccountMoveLineRow = Static<typeof AccountMoveLineRow>
export type InvoiceLineRow = Static<typeof LineRow>

const plainFields = (row: { properties: object }) =>
  Object.keys(row.properties).filter((field) => !field.endsWith('.') && field !== 'id')
const INVOICE_FIELDS = [...plainFields(InvoiceRow), 'currency.code', 'payment_term.name']
const LINE_FIELDS = [...plainFields(LineRow), 'product.code', 'product.name', 'unit.symbol']
const MONEY_FIELDS = [...plainFields(AccountMoveLineRow), 'journal.name', 'move.number']
const ORDER = [
  ['sequence', 'ASC NULLS FIRST'],
  ['id', 'ASC'],
]

/** Everything that Tryton holds of one invoice. */
export interface InvoiceRecords {
  invoice: InvoiceRow
  lines: InvoiceLineRow[]
  taxes: Static<typeof TaxRow>[]
  payments: AccountMoveLineRow[]
  /** The lines to pay, one per installment. */
  dueLines: AccountMoveLineRow[]
  sale: Static<typeof SaleRow> | undefined
  address: AddressRow | undefined
}

export function readInvoices(
  { rpc }: TrytonContext,
  domain: unknown[],
  call: Call,
  window: { offset?: number; limit?: number | null; order?: unknown[] } = {},
): Promise<InvoiceRow[]> {
  const { offset = 0, limit = null, order = [['id', 'ASC']] } = window
  return rpc(Rows.invoices, 'account.invoice.search_read', [domain, offset, limit, order, INVOICE_FIELDS], call)
}

/** Reads the records of invoices in five calls, however many there are. */
export async function readInvoiceRecords(
  context: TrytonContext,
  rows: readonly InvoiceRow[],
  call: Call,
): Promise<InvoiceRecords[]> {
  if (rows.length === 0) return []
  const { rpc, capabilities } = context
  const ofInvoices = ['invoice', 'in', rows.map(({ id }) => id)]
  const idDomain = (pick: (row: InvoiceRow) => readonly (number | null)[]) => [
    ['id', 'in', [...new Set(rows.flatMap(pick))]],
  ]
  const saleFields = ['number', 'reference', ...((await capabilities.has('webOrders', call)) ? ['web_id'] : [])]
  const [lines, taxes, moneyLines, sales, addresses] = await Promise.all([
    rpc(
      Rows.lines,
      'account.invoice.line.search_read',
      [[ofInvoices, ['type', '=', 'line']], 0, null, ORDER, LINE_FIELDS],
      call,
    ),
    rpc(Rows.taxes, 'account.invoice.tax.search_read', [[ofInvoices], 0, null, ORDER, plainFields(TaxRow)], call),
    rpc(
      Rows.money,
      'account.move.line.search_read',
      [idDomain((row) => [...row.payment_lines, ...row.lines_to_pay]), 0, null, [['id', 'ASC']], MONEY_FIELDS],
      call,
    ),
    rpc(
      Rows.sales,
      'sale.sale.search_read',
      [idDomain((row) => row.sales), 0, null, [['id', 'ASC']], saleFields],
      call,
    ),
    readAddresses(
      context,
      idDomain((row) => [row.invoice_address]),
      call,
    ),
  ])
  return rows.map((invoice) => ({
    invoice,
    lines: lines.filter((line) => line.invoice === invoice.id),
    taxes: taxes.filter((tax) => tax.invoice === invoice.id),
    payments: moneyLines.filter(({ id }) => invoice.payment_lines.includes(id)),
    dueLines: moneyLines.filter(({ id }) => invoice.lines_to_pay.includes(id)),
    sale: sales.find(({ id }) => invoice.sales.includes(id)),
    address: addresses.find(({ id }) => id === invoice.invoice_address),
  }))
}
