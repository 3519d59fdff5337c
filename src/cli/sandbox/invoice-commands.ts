import { forecourtCommand } from '../../installed-command-line.ts'
import {
  issueInvoice,
  listLedgerInvoices,
  settleInvoice,
  voidInvoice,
} from '../../sandbox/control/accounting-control-client.ts'
import { print } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { type ControlTarget, type ControlTargetOptions, withControlTarget } from './control-target.ts'
import { findLedgerOrder } from './ledger-orders.ts'

/** Issues an invoice for a whole order. */
export async function runSandboxInvoice(name: string, options: ControlTargetOptions): Promise<void> {
  const [invoice, { order_id }] = await withControlTarget('accounting', options, async (target) => {
    const order = await findLedgerOrder(name, target)
    return [await issueInvoice(target.controlUrl, target.account, order.order_id), order] as const
  })
  const { invoice_id, total, currency, due_date } = invoice
  print(`Issued ${invoice_id} for ${order_id}: ${total} ${currency}, due ${due_date}. Event: invoice.issued`)
}

/** Pays an invoice: the whole balance, unless an amount is given. */
export async function runSandboxSettle(
  name: string,
  options: ControlTargetOptions & { amount?: string },
): Promise<void> {
  const { amount } = options
  if (amount !== undefined && !(/^\d{1,15}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0))
    throw new UsageError(`--amount takes an amount above 0 such as 1500.00, not "${amount}"`)
  const invoice = await withControlTarget('accounting', options, async (target) =>
    settleInvoice(target.controlUrl, target.account, await findInvoiceId(name, target), amount),
  )
  const { invoice_id, status, balance, currency, payments } = invoice
  const payment = `${invoice_id} is ${status}: received ${payments.at(-1)!.amount} ${currency}`
  print(
    status === 'PAID'
      ? `${payment}. Event: invoice.paid`
      : `${payment}, ${balance} ${currency} open. No event: invoice.paid follows when the balance is 0`,
  )
}

/** Voids an invoice without payments. */
export async function runSandboxVoid(name: string, options: ControlTargetOptions): Promise<void> {
  const { invoice_id } = await withControlTarget('accounting', options, async (target) =>
    voidInvoice(target.controlUrl, target.account, await findInvoiceId(name, target)),
  )
  print(`${invoice_id} is VOID. Event: invoice.voided`)
}

/** Finds an invoice by its id, or the newest one by `last`. */
async function findInvoiceId(name: string, { controlUrl, account, hintOptions }: ControlTarget): Promise<string> {
  const invoices = await listLedgerInvoices(controlUrl, account)
  invoices.sort((a, b) => b.issued_at.localeCompare(a.issued_at) || b.invoice_id.localeCompare(a.invoice_id))
  const invoice = name === 'last' ? invoices[0] : invoices.find(({ invoice_id }) => invoice_id === name)
  if (invoice) return invoice.invoice_id
  const newest = invoices[0] ? `; the newest is ${invoices[0].invoice_id}` : ''
  throw new UsageError(
    `There is no invoice "${name}" in the sandbox of ${account}${newest}. Issue one with: ${forecourtCommand} sandbox invoice <order>${hintOptions}`,
  )
}
