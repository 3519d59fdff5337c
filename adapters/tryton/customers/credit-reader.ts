import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { AccountingPort, Credit } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { nullable, parseRecordId, TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { readOpenOrderTotal } from './open-order-total.ts'
import { type PaymentTerm, readPaymentTerm } from './read-payment-term.ts'
import { readReceivablesAging } from './receivables-aging.ts'

const CreditRow = Type.Object({
  id: TrytonId,
  active: TrytonBoolean,
  credit_limit_amount: nullable(TrytonDecimal),
  credit_amount: nullable(TrytonDecimal),
  receivable: nullable(TrytonDecimal),
  customer_payment_term: nullable(TrytonId),
})
const CreditRows = responseSchema(Type.Array(CreditRow))
const FIELDS = Object.keys(CreditRow.properties).filter((field) => field !== 'id')

export interface CreditReader extends Required<Pick<AccountingPort, 'credit'>> {
  /** Reads the credit that is left for an order; `null` without a credit account. */
  readAvailableCredit(customerId: string, call: Call): Promise<Decimal | null>
}

/**
 * Reads credit accounts. Tryton refuses an order when the limit is below the receivables plus uninvoiced orders plus
 * the new order, where it counts orders without tax. Here they count with tax, as they will be owed, so the credit
 * shown never exceeds what Tryton would allow.
 */
export function createCreditReader(context: TrytonContext): CreditReader {
  const { rpc, capabilities, formatAmount, facts } = context

  async function readAccount(customerId: string, call: Call) {
    await capabilities.require(call, 'creditLimits')
    const id = parseRecordId(customerId)
    if (id === null) return null
    const domain = [
      ['id', '=', id],
      ['active', 'in', [true, false]],
    ]
    const [rows, openOrders] = await Promise.all([
      rpc(CreditRows, 'party.party.search_read', [domain, 0, 1, null, FIELDS], call),
      readOpenOrderTotal(context, id, call),
    ])
    const [row] = rows
    return row ? { row, orders: openOrders, left: computeAvailable(row, openOrders) } : null
  }

  return {
    readAvailableCredit: async (customerId, call) => (await readAccount(customerId, call))?.left ?? null,
    async credit(customerId, call) {
      const account = await readAccount(customerId, call)
      if (!account) return null
      const { row, orders: openOrders, left: available } = account
      const as_of = facts.now().toISOString()
      const common = { customer_id: customerId, on_hold: !row.active, as_of }
      if (available === null) return { ...common, enabled: false, ...NO_FIGURES }
      const today = dateInTimeZone(facts.timeZone, facts.now())
      const [{ aging, overdue }, terms] = await Promise.all([
        readReceivablesAging(context, row.id, today, call),
        row.customer_payment_term === null ? null : readPaymentTerm(rpc, row.customer_payment_term, call),
      ])
      return {
        ...common,
        enabled: true,
        credit_limit: formatAmount(row.credit_limit_amount!.decimal),
        balance: formatAmount(row.receivable?.decimal ?? '0'),
        open_orders: formatAmount(openOrders.toFixed()),
        available_credit: formatAmount(available.toFixed()),
        // Tryton checks the limit for every payment method.
        holds_cash_orders: true,
        overdue_balance: overdue,
        terms: terms && toTerms(terms),
        aging,
      }
    },
  }
}

const NO_FIGURES = {
  credit_limit: null,
  balance: null,
  open_orders: null,
  available_credit: null,
  overdue_balance: null,
  terms: null,
  aging: null,
}

function computeAvailable(row: Static<typeof CreditRow>, openOrders: Decimal): Decimal | null {
  if (!row.credit_limit_amount) return null
  const limit = new Decimal(row.credit_limit_amount.decimal)
  const withTaxedOrders = limit.minus(row.receivable?.decimal ?? 0).minus(openOrders)
  return Decimal.min(withTaxedOrders, limit.minus(row.credit_amount?.decimal ?? 0))
}

const toTerms = ({ code, days, description }: PaymentTerm): Credit['terms'] => ({ code, days, description })
