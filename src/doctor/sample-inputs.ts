import type { AccountingPort } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import { callWithDeadline, type ProbeLimits } from './call-with-deadline.ts'
import type { TargetConnections } from './connect-ports.ts'
import type { SystemFinding } from './diagnosis.ts'
import type { ProbeInputs } from './operation-probe.ts'
import { recentChangesQuery } from './recent-changes-query.ts'

/** How many days back to search the ledger's feeds for a customer. */
const SEARCH_DAYS = [1, 30, 365, 3_650]

/** Finds SKUs for the other systems' probes when the inventory itself is not examined. */
export async function findSampleSkus(
  { inventory }: TargetConnections,
  inputs: ProbeInputs,
  limits: ProbeLimits,
): Promise<void> {
  if (!inventory) return
  const parts = { product: true, stock: false }
  const page = await callWithDeadline((call) => inventory.port.search({ limit: 20, offset: 0 }, parts, call), limits)
  if ('value' in page) inputs.skus = page.value.items.map(({ sku }) => sku)
}

/** Finds the customer named by the user, else the latest one in the ledger's feeds. */
export async function findSampleCustomer(
  { accounting }: TargetConnections,
  customer: string | undefined,
  inputs: ProbeInputs,
  limits: ProbeLimits,
  onFinding: (finding: SystemFinding) => void,
): Promise<void> {
  const find = accounting?.port.findCustomer?.bind(accounting.port)
  if (customer === undefined) {
    const customerId = accounting && (await findCustomerInFeeds(accounting.port, inputs, limits))
    if (customerId !== undefined) inputs.customerId = customerId
  } else if (customer.includes('@') && find) {
    const result = await callWithDeadline((call) => find(customer, call), limits)
    if ('error' in result) return
    if (result.value) inputs.customerId = result.value.customer_id
    else onFinding(unknownCustomer(customer))
  } else inputs.customerId = customer
}

const unknownCustomer = (email: string): SystemFinding => ({
  check: 'customer',
  systems: ['accounting'],
  severity: 'warning',
  finding: `no customer has the email address ${email}`,
  remedy: 'Name another one with --customer, or give the customer this email address in accounting',
})

async function findCustomerInFeeds(
  port: AccountingPort,
  inputs: ProbeInputs,
  limits: ProbeLimits,
): Promise<string | undefined> {
  for (const days of SEARCH_DAYS) {
    const query = recentChangesQuery(inputs, days)
    for (const feed of ['orderChanges', 'invoiceChanges'] as const) {
      const readCustomerIds = async (call: Call) =>
        ((await port[feed]?.(query, call))?.changes ?? []).flatMap((row: { customer_id: string }) => row.customer_id)
      const result = await callWithDeadline(readCustomerIds, limits)
      if ('value' in result && result.value.length > 0) return result.value.at(-1)
      // The feed's own probe reports a ledger that hangs.
      if ('error' in result && result.error.failure === 'timeout') return undefined
    }
  }
  return undefined
}
