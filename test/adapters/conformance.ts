import { conformingAccounting } from './conforming-accounting.ts'
import { conformingChanges } from './conforming-changes.ts'
import { conformingCustomers } from './conforming-customers.ts'
import { conformingInventory } from './conforming-inventory.ts'
import { conformingInvoices } from './conforming-invoices.ts'
import { conformingOrders } from './conforming-orders.ts'
import { conformingPricing } from './conforming-pricing.ts'
import type { Subject } from './subject.ts'

/** What every adapter must do, over whatever back office `connect` reaches. Facts that a system cannot offer are left out, and their tests pass over it. */
export function conformance(name: string, connect: () => Promise<Subject>): void {
  describe(`${name}: as an adapter`, () => {
    let subject: Subject

    before(async () => {
      subject = await connect()
    })

    after(() => subject?.close())

    conformingInventory(() => subject)
    conformingPricing(() => subject)
    conformingAccounting(() => subject)
    conformingCustomers(() => subject)
    conformingOrders(() => subject)
    conformingInvoices(() => subject)
    conformingChanges(() => subject)
  })
}
