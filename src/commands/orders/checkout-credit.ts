import { setTimeout as pause } from 'node:timers/promises'
import { Decimal } from 'decimal.js'
import { UpstreamError } from '../../errors.ts'
import type { Credit } from '../../ports/accounting.ts'
import {
  type CreditReservationRow,
  clearCreditReservations,
  listCreditReservations,
  lockCustomerCredit,
} from '../../storage/commerce/credit-reservations.ts'
import type { Database } from '../../storage/database.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'

/** A credit that was read for a checkout. */
export interface CheckoutCredit {
  credit: Credit | null
  /** `null`: nothing is reserved, because accounting checks the credit limit itself, or the customer has no credit account. */
  reading: CreditReading | null
}

/** The orders that a reading of the credit includes. */
interface CreditReading {
  startedAt: number
  /** Orders with a reservation that accounting's figures include already. */
  includedOrderIds: ReadonlySet<string>
}

/** The orders that take so much credit that another order does not fit into the rest. */
export interface CreditConflict {
  available_credit: string
  orderIds: readonly string[]
}

/** A reading is not used for longer: reservations that it may lack are kept for CLEAR_AFTER_MS. */
const MAX_READING_AGE_MS = 60_000
const CLEAR_AFTER_MS = 10 * 60_000
const POLL_MS = 50
/** A checkout that has less time left does not read everything again. */
const MIN_RETRY_MS = 2_500

/** Reads the credit live. The reservations are read first, so that what is resolved by then is part of accounting's figures. */
export async function readCheckoutCredit(
  context: CustomerCommandContext,
  live: LiveCallOptions,
): Promise<CheckoutCredit> {
  const { commerce, backOffice, customerId } = context
  const { accounting } = backOffice
  if (!accounting.creditReservation) return { credit: await accounting.creditNow(customerId, live), reading: null }
  const startedAt = commerce.now()
  const known = await listCreditReservations(commerce.db, toCustomerKey(context))
  const included = known.filter((order) => isIncluded(context, order, startedAt))
  const includedOrderIds = new Set(included.map(({ order_id }) => order_id))
  const credit = await accounting.creditNow(customerId, live)
  return { credit, reading: credit?.enabled ? { startedAt, includedOrderIds } : null }
}

/** Returns whether a reading that starts at this time includes an order for certain. */
const isIncluded = (context: CustomerCommandContext, { status, updated_at }: CreditReservationRow, at: number) =>
  status === 'CONFIRMED' && Date.parse(updated_at) + exposureDelayMs(context) <= at

const exposureDelayMs = ({ backOffice }: CustomerCommandContext) =>
  (backOffice.accounting.creditReservation?.exposureDelaySeconds ?? 0) * 1_000

/**
 * Decides whether an order fits into the credit that is left, within the transaction that stores the order with its reservation. `null`: it
 * does. The lock makes concurrent checkouts of a customer, in all processes, decide one after the other.
 */
export async function findCreditConflict(
  transaction: Database,
  context: CustomerCommandContext,
  { credit, reading }: CheckoutCredit,
  total: string,
): Promise<CreditConflict | null> {
  if (!credit?.available_credit || !reading) return null
  const customer = toCustomerKey(context)
  const now = context.commerce.now()
  if (now - reading.startedAt > MAX_READING_AGE_MS)
    throw new UpstreamError('timeout', 'the credit was read too long ago')
  await lockCustomerCredit(transaction, customer)
  const reserved = await listCreditReservations(transaction, customer)
  const others = reserved.filter(({ order_id }) => !reading.includedOrderIds.has(order_id))
  const left = others.reduce((sum, order) => sum.minus(order.reserved_credit), new Decimal(credit.available_credit))
  if (left.lt(total)) return { available_credit: left.toFixed(), orderIds: others.map(({ order_id }) => order_id) }
  const before = now - exposureDelayMs(context) - CLEAR_AFTER_MS
  await clearCreditReservations(transaction, customer, new Date(before).toISOString())
  return null
}

/**
 * Waits for the checkouts of orders that take credit. Such an order may count twice: accounting has it already, and it still has its
 * reservation here. `true`: one of them does not count any more, so the credit should be read again.
 */
export async function waitForReservations(
  context: CustomerCommandContext,
  { orderIds }: CreditConflict,
): Promise<boolean> {
  const { commerce, requestScope } = context
  for (;;) {
    const known = await listCreditReservations(commerce.db, toCustomerKey(context))
    const counted = known.filter((order) => !isIncluded(context, order, commerce.now()))
    const remaining = counted.filter(({ order_id }) => orderIds.includes(order_id))
    if (requestScope.leftMs() < MIN_RETRY_MS) return false
    if (remaining.length < orderIds.length) return true
    if (!remaining.some(({ status, told }) => status === 'PENDING' && told === 0)) return false
    await pause(POLL_MS)
  }
}
