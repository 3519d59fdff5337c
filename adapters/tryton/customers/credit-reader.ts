import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { AccountingPort, Credit } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type AccountingContext, parseRecordId } from '../accounting-context.ts'
import { nullable, TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { readOpenOrderTotal } from './open-order-total.ts'
import { type PaymentTerm, readPaymentTerm } from './payment-terms.ts'
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
  /** What an order may still cost; `null`: there is no account. */
  available(customerId: string, call: Call): Promise<Decimal | null>
}

/**
 * Tryton refuses an order when its limit is below what is receivable, plus the orders that are not invoiced, plus the new one, the
 * orders without their tax. Here they count with it, as they will be owed: never more than Tryton's own count is left.
 */
export function createCreditReader(ledger: AccountingContext): CreditReader {
  const { rpc, abilities, amount, facts } = ledger

  async function read(customerId: string, call: Call) {
    await abilities.need(call, 'creditLimits')
    const id = parseRecordId(customerId)
    if (id === null) return null
    const domain = [
      ['id', '=', id],
      ['active', 'in', [true, false]],
    ]
    const [rows, orders] = await Promise.all([
      rpc(CreditRows, 'party.party.search_read', [domain, 0, 1, null, FIELDS], call),
      readOpenOrderTotal(ledger, id, call),
    ])
    const [row] = rows
    return row ? { row, orders, left: leftOf(row, orders) } : null
  }

  return {
    available: async (customerId, call) => (await read(customerId, call))?.left ?? null,
    async credit(customerId, call) {
      const account = await read(customerId, call)
      if (!account) return null
      const { row, orders, left } = account
      const as_of = facts.now().toISOString()
      const whose = { customer_id: customerId, on_hold: !row.active, as_of }
      if (left === null) return { ...whose, enabled: false, ...nothing }
      const today = dateInTimeZone(facts.timeZone, facts.now())
      const [{ aging, overdue }, terms] = await Promise.all([
        readReceivablesAging(ledger, row.id, today, call),
        row.customer_payment_term === null ? null : readPaymentTerm(rpc, row.customer_payment_term, call),
      ])
      return {
        ...whose,
        enabled: true,
        credit_limit: amount(row.credit_limit_amount!.decimal),
        balance: amount(row.receivable?.decimal ?? '0'),
        open_orders: amount(orders.toFixed()),
        available_credit: amount(left.toFixed()),
        // However it is paid: Tryton looks at the customer alone.
        holds_cash_orders: true,
        overdue_balance: overdue,
        terms: terms && written(terms),
        aging,
      }
    },
  }
}

const nothing = {
  ...{ credit_limit: null, balance: null, open_orders: null, available_credit: null, overdue_balance: null },
  ...{ terms: null, aging: null },
}

function leftOf(row: Static<typeof CreditRow>, orders: Decimal): Decimal | null {
  if (!row.credit_limit_amount) return null
  const limit = new Decimal(row.credit_limit_amount.decimal)
  const counted = limit.minus(row.receivable?.decimal ?? 0).minus(orders)
  return Decimal.min(counted, limit.minus(row.credit_amount?.decimal ?? 0))
}

const written = ({ code, days, description }: PaymentTerm): Credit['terms'] => ({ code, days, description })
