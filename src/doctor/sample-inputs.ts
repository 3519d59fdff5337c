import type { AccountingPort } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import { attempt, type Patience } from './call-once.ts'
import type { Connections } from './connect-ports.ts'
import type { Found } from './diagnosis.ts'
import { type Known, recently } from './operation-probe.ts'

/** How far back the feeds are searched for somebody who ordered, or was sent an invoice. */
const DAYS = [1, 30, 365, 3_650]

/** SKUs to ask the other systems about, where the inventory itself is not looked at. */
export async function learnSkus({ inventory }: Connections, known: Known, patience: Patience): Promise<void> {
  if (!inventory) return
  const parts = { product: true, stock: false }
  const page = await attempt((call) => inventory.port.search({ limit: 20, offset: 0 }, parts, call), patience)
  if ('value' in page) known.skus = page.value.items.map(({ sku }) => sku)
}

/** The customer who is named, else the latest in the ledger's feeds. */
export async function learnCustomer(
  { accounting }: Connections,
  named: string | undefined,
  known: Known,
  patience: Patience,
  onFound: (found: Found) => void,
): Promise<void> {
  const find = accounting?.port.findCustomer?.bind(accounting.port)
  if (named === undefined) {
    const found = accounting && (await fromFeeds(accounting.port, known, patience))
    if (found !== undefined) known.customerId = found
  } else if (named.includes('@') && find) {
    const found = await attempt((call) => find(named, call), patience)
    if ('error' in found) return
    if (found.value) known.customerId = found.value.customer_id
    else onFound(nobody(named))
  } else known.customerId = named
}

const nobody = (mailbox: string): Found => ({
  check: 'customer',
  systems: ['accounting'],
  severity: 'warning',
  finding: `no customer has the mailbox ${mailbox}`,
  remedy: 'Name another with --customer, or give the customer this mailbox in the ledger',
})

async function fromFeeds(port: AccountingPort, known: Known, patience: Patience): Promise<string | undefined> {
  for (const days of DAYS) {
    const query = recently(known, days)
    for (const kind of ['orderChanges', 'invoiceChanges'] as const) {
      const customers = async (call: Call) =>
        ((await port[kind]?.(query, call))?.changes ?? []).flatMap((one: { customer_id: string }) => one.customer_id)
      const found = await attempt(customers, patience)
      if ('value' in found && found.value.length > 0) return found.value.at(-1)
      // A ledger that hangs is asked no second time: each question to it has a row of its own.
      if ('error' in found && found.error.failure === 'timeout') return undefined
    }
  }
  return undefined
}
