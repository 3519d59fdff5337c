import type { AccountingPort } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import { callOnce, type ProbeLimits } from './call-once.ts'
import type { TargetConnections } from './connect-ports.ts'
import type { SystemFinding } from './diagnosis.ts'
import { type ProbeInputs, recentChangesQuery } from './operation-probe.ts'

/** How far back the feeds are searched for somebody who ordered, or was sent an invoice. */
const DAYS = [1, 30, 365, 3_650]

/** SKUs to ask the other systems about, where the inventory itself is not looked at. */
export async function findSampleSkus(
  { inventory }: TargetConnections,
  known: ProbeInputs,
  patience: ProbeLimits,
): Promise<void> {
  if (!inventory) return
  const parts = { product: true, stock: false }
  const page = await callOnce((call) => inventory.port.search({ limit: 20, offset: 0 }, parts, call), patience)
  if ('value' in page) known.skus = page.value.items.map(({ sku }) => sku)
}

/** The customer who is named, else the latest in the ledger's feeds. */
export async function findSampleCustomer(
  { accounting }: TargetConnections,
  named: string | undefined,
  known: ProbeInputs,
  patience: ProbeLimits,
  onFound: (found: SystemFinding) => void,
): Promise<void> {
  const find = accounting?.port.findCustomer?.bind(accounting.port)
  if (named === undefined) {
    const found = accounting && (await fromFeeds(accounting.port, known, patience))
    if (found !== undefined) known.customerId = found
  } else if (named.includes('@') && find) {
    const found = await callOnce((call) => find(named, call), patience)
    if ('error' in found) return
    if (found.value) known.customerId = found.value.customer_id
    else onFound(nobody(named))
  } else known.customerId = named
}

const nobody = (mailbox: string): SystemFinding => ({
  check: 'customer',
  systems: ['accounting'],
  severity: 'warning',
  finding: `no customer has the mailbox ${mailbox}`,
  remedy: 'Name another with --customer, or give the customer this mailbox in the ledger',
})

async function fromFeeds(port: AccountingPort, known: ProbeInputs, patience: ProbeLimits): Promise<string | undefined> {
  for (const days of DAYS) {
    const query = recentChangesQuery(known, days)
    for (const kind of ['orderChanges', 'invoiceChanges'] as const) {
      const customers = async (call: Call) =>
        ((await port[kind]?.(query, call))?.changes ?? []).flatMap((one: { customer_id: string }) => one.customer_id)
      const found = await callOnce(customers, patience)
      if ('value' in found && found.value.length > 0) return found.value.at(-1)
      // A ledger that hangs is asked no second time: each question to it has a row of its own.
      if ('error' in found && found.error.failure === 'timeout') return undefined
    }
  }
  return undefined
}
