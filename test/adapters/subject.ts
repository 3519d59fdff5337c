import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Call } from '../../src/ports/call.ts'
import type { InventoryPort } from '../../src/ports/inventory.ts'
import type { PricingPort } from '../../src/ports/pricing.ts'

export interface Ports {
  inventory?: InventoryPort
  pricing?: PricingPort
  accounting?: AccountingPort
}

/** A connected adapter, and what is known of the back office behind it. */
export interface Subject extends Ports {
  facts: Facts
  /** Left out: nobody here can change that back office. */
  clerk?: Partial<Clerk>
  /** The same adapter on a system that takes connections and never answers; left out, the tests of silence pass over it. */
  silent?: Ports
  /** The same adapter on a port where nothing listens. */
  unreachable?: Ports
  close(): Promise<void>
}

/** What somebody does in the back office itself. Each answers the id of what it changed. */
export type Clerk = Record<'stock' | 'price' | 'order' | 'invoice', () => Promise<string>>

export interface Facts {
  /** At least three active SKUs, in no special order. */
  skus: [string, string, string, ...string[]]
  unknownSku: string
  deactivatedSku?: string
  /** SKUs with slashes, spaces, signs. */
  awkwardSkus?: string[]
  /** A word, or words, and a SKU that they find. */
  search?: { q: string; sku: string }
  category?: { category_id: string; slug: string; sku: string }
  tag?: { tag: string; sku: string }
  vehicle?: { vehicle_id: number; sku: string }
  unknownVehicleId?: number
  /** A SKU with an open receipt that is not overdue. */
  expectedSku?: string
  /** A SKU without a price. */
  unpricedSku?: string
  /** A customer, and a SKU that has a price of its own for them. */
  contract?: { customerId: string; sku: string }
  unknownCustomerId?: string
  /** A SKU with its tax rate, a decimal-string fraction. */
  tax?: { sku: string; rate: string; exemptCustomerId?: string }
  /** A customer with credit to spare and a past, and another. */
  customer?: { customerId: string; email: string; otherId: string }
  /** A customer without a credit account. */
  cashCustomerId?: string
  /** What the first customer may order, at what price without tax. */
  goods?: { sku: string; uom: string; unitPrice: string }
  /** An order of the first customer's that has left, and two of their invoices. */
  past?: { shippedOrderId: string; overdueInvoiceId: string; paidInvoiceId: string }
  /** A code that applies to the SKU of `contract`, and one that does not, with the reason. */
  promotions?: { applying: string; refused: string; reason: string }
}

export const BOTH = { product: true, stock: true }

export function call(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, timeoutMs: () => 5_000, requestId: 'conformance' }
}

/** The failure that a port's method rejected with. */
export async function failureOf(asked: Promise<unknown>): Promise<UpstreamError> {
  const outcome = await asked.then(
    () => 'it did not reject',
    (error: unknown) => error,
  )
  expect(outcome).to.be.instanceOf(UpstreamError)
  return outcome as UpstreamError
}

/** What each of these does when its caller leaves at once, when nobody answers, and when nobody is there. */
export function failsWell(asking: (ports: Ports, call: Call) => Promise<unknown>[], subject: () => Subject): void {
  it('rejects with UpstreamError when its caller has left', async () => {
    for (const asked of asking(subject(), call(AbortSignal.abort()))) {
      expect((await failureOf(asked)).failure).to.equal('aborted')
    }
  })

  it('rejects promptly when its caller leaves while the system is silent', async () => {
    const leaving = new AbortController()
    const waiting = asking(subject().silent ?? {}, call(leaving.signal)).map(failureOf)
    leaving.abort()
    for (const { failure } of await Promise.all(waiting)) expect(failure).to.equal('aborted')
  })

  it('rejects with UpstreamError when the system is not there', async () => {
    for (const asked of asking(subject().unreachable ?? {}, call())) {
      expect((await failureOf(asked)).failure).to.equal('unavailable')
    }
  })
}
