import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { AccountingPort, Credit } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { emptyOr, OdooId, parseRecordId } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { openAmount, openOrderDomain } from './open-orders.ts'
import { ageReceivables } from './receivables-aging.ts'

const Commercial = Type.Object({
  id: OdooId,
  credit: Type.Number(),
  credit_limit: Type.Number(),
  property_payment_term_id: emptyOr(
    Type.Object({ id: OdooId, name: Type.String(), line_ids: Type.Array(Type.Object({ nb_days: Type.Integer() })) }),
  ),
})
const Partners = foundShape(Type.Object({ id: OdooId, active: Type.Boolean(), commercial_partner_id: Commercial }))
const OpenOrders = foundShape(Type.Object({ id: OdooId, amount_total: Type.Number(), amount_invoiced: Type.Number() }))
const Receivables = foundShape(
  Type.Object({ id: OdooId, date_maturity: emptyOr(Type.String()), amount_residual: Type.Number() }),
)

const specification = {
  active: {},
  commercial_partner_id: {
    fields: {
      credit: {},
      credit_limit: {},
      property_payment_term_id: { fields: { name: {}, line_ids: { fields: { nb_days: {} } } } },
    },
  },
}

/** Reads credit accounts. Odoo itself never refuses an order because of the limit. A contact has the limit of its company. */
export function createCreditReader(context: OdooContext): Required<Pick<AccountingPort, 'credit'>> {
  const { rpc, facts, formatAmount, digits } = context
  const format = (value: Decimal.Value) => formatAmount(new Decimal(value).toDecimalPlaces(digits).toFixed())

  async function readDebts(commercialId: number, call: Call) {
    const receivableDomain = [
      ['partner_id', 'child_of', [commercialId]],
      ['account_id.account_type', '=', 'asset_receivable'],
      ['parent_state', '=', 'posted'],
      ['amount_residual', '!=', 0],
    ]
    const [orders, receivables] = await Promise.all([
      rpc.search(
        OpenOrders,
        'sale.order',
        { domain: openOrderDomain(commercialId), specification: { amount_total: {}, amount_invoiced: {} } },
        call,
      ),
      rpc.search(
        Receivables,
        'account.move.line',
        { domain: receivableDomain, specification: { date_maturity: {}, amount_residual: {} }, order: 'id' },
        call,
      ),
    ])
    const openOrders = Decimal.sum(0, ...orders.records.map(openAmount))
    const today = dateInTimeZone(facts.timeZone, facts.now())
    return { openOrders, ...ageReceivables(receivables.records, today) }
  }

  return {
    async credit(customerId, call) {
      const id = parseRecordId(customerId)
      if (id === null) return null
      const domain = [
        ['id', '=', id],
        ['active', 'in', [true, false]],
      ]
      const [found, { hasCreditLimits }] = await Promise.all([
        rpc.search(Partners, 'res.partner', { domain, specification, limit: 1 }, call),
        context.readCompany(call),
      ])
      const [row] = found.records
      if (!row) return null
      const { commercial_partner_id: commercial } = row
      const common = { customer_id: customerId, on_hold: !row.active, as_of: facts.now().toISOString() }
      if (!hasCreditLimits || commercial.credit_limit <= 0) return { ...common, enabled: false, ...NO_FIGURES }
      const { openOrders, aging, overdue } = await readDebts(commercial.id, call)
      const balance = new Decimal(commercial.credit)
      return {
        ...common,
        enabled: true,
        credit_limit: format(commercial.credit_limit),
        balance: format(balance),
        open_orders: format(openOrders),
        available_credit: format(new Decimal(commercial.credit_limit).minus(balance).minus(openOrders)),
        overdue_balance: format(overdue),
        terms: toTerms(commercial),
        aging: Object.fromEntries(aging.map(([name, sum]) => [name, format(sum)])) as Credit['aging'],
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

function toTerms({ property_payment_term_id: term }: Static<typeof Commercial>): Credit['terms'] {
  if (!term) return null
  const days = Math.max(0, ...term.line_ids.map(({ nb_days }) => nb_days))
  return { code: String(term.id), days, description: term.name }
}
