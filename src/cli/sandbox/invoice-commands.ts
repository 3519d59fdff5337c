import { issueInvoice, listLedgerInvoices, settleInvoice, voidInvoice } from '../../sandbox/control/control-client.ts'
import { print } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { type ControlTarget, type ControlTargetOptions, withControlTarget } from './control-target.ts'
import { findLedgerOrder } from './order-commands.ts'

/** Invoices a whole order. */
export async function runSandboxInvoice(name: string, options: ControlTargetOptions): Promise<void> {
  const [issued, { order_id }] = await withControlTarget('accounting', options, async (target) => {
    const order = await findLedgerOrder(name, target)
    return [await issueInvoice(target.control, target.account, order.order_id), order] as const
  })
  const { invoice_id, total, currency, due_date } = issued
  print(`${invoice_id} of ${order_id} is issued: ${total} ${currency}, due ${due_date}. Event: invoice.issued`)
}

/** Pays an invoice; all that is open of it, unless an amount is given. */
export async function runSandboxSettle(
  name: string,
  options: ControlTargetOptions & { amount?: string },
): Promise<void> {
  const { amount } = options
  if (amount !== undefined && !(/^\d{1,15}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0))
    throw new UsageError(`--amount takes an amount above 0 such as 1500.00, not "${amount}"`)
  const settled = await withControlTarget('accounting', options, async (target) =>
    settleInvoice(target.control, target.account, await invoiceNamed(name, target), amount),
  )
  const { invoice_id, status, balance, currency, payments } = settled
  const came = `${invoice_id} is ${status}: ${payments.at(-1)!.amount} ${currency} came in`
  print(
    status === 'PAID'
      ? `${came}. Event: invoice.paid`
      : `${came}, ${balance} ${currency} are open. No event: that comes when all of it is paid`,
  )
}

export async function runSandboxVoid(name: string, options: ControlTargetOptions): Promise<void> {
  const { invoice_id } = await withControlTarget('accounting', options, async (target) =>
    voidInvoice(target.control, target.account, await invoiceNamed(name, target)),
  )
  print(`${invoice_id} is VOID. Event: invoice.voided`)
}

/** By its id, or the newest. */
async function invoiceNamed(name: string, { control, account, options }: ControlTarget): Promise<string> {
  const invoices = await listLedgerInvoices(control, account)
  invoices.sort((a, b) => b.issued_at.localeCompare(a.issued_at) || b.invoice_id.localeCompare(a.invoice_id))
  const found = name === 'last' ? invoices[0] : invoices.find(({ invoice_id }) => invoice_id === name)
  if (found) return found.invoice_id
  const newest = invoices[0] ? `; the newest is ${invoices[0].invoice_id}` : ''
  throw new UsageError(
    `There is no invoice "${name}" in the sandbox of ${account}${newest}. Make one with: npx forecourt sandbox invoice <order>${options}`,
  )
}
