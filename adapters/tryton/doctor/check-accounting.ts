import { Type } from 'typebox'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { nullable, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { type CheckContext, createFinding, formatNameList, hasAnySystem } from './check.ts'

const Books = responseSchema(
  Type.Array(
    Type.Object({
      tax_rounding: Type.Optional(nullable(Type.String())),
      default_customer_payment_term: Type.Optional(nullable(TrytonId)),
    }),
  ),
)
const Shop = responseSchema(
  Type.Array(
    Type.Object({
      sale_invoice_method: Type.Optional(nullable(Type.String())),
      sale_shipment_method: Type.Optional(nullable(Type.String())),
    }),
  ),
)
const Parties = responseSchema(
  Type.Array(
    Type.Object({
      id: TrytonId,
      credit_limit_amount: Type.Optional(nullable(TrytonDecimal)),
      customer_payment_term: Type.Optional(nullable(TrytonId)),
    }),
  ),
)
const MOST_PARTIES = 500

/** How the books are kept, where that changes what a storefront shows or a customer may do. */
export async function checkAccounting(looker: CheckContext): Promise<Finding[]> {
  const { rpc, call } = looker
  if (!hasAnySystem(looker, 'accounting')) return []
  const abilities = createCapabilities(rpc, Date.now)
  if (!(await abilities.has('invoices', call()))) return []
  const [books] = await rpc(
    Books,
    'account.configuration.read',
    [[1], ['tax_rounding', 'default_customer_payment_term']],
    call(),
  )
  const terms =
    books?.default_customer_payment_term == null && (await abilities.has('creditLimits', call()))
      ? await lookAtTerms(looker)
      : []
  const shop = (await abilities.has('orders', call())) ? await lookAtShop(looker) : []
  return [...roundingOf(books?.tax_rounding), ...terms, ...shop]
}

const roundingOf = (rounding: string | null | undefined): Finding[] =>
  rounding === 'document'
    ? [
        createFinding(
          'note',
          'tax_rounding',
          'taxes are rounded by document and not by line: a cart shows them as its order will have them',
          'Nothing is to be done; a storefront must not add up the taxes of lines itself',
        ),
      ]
    : []

async function lookAtTerms({ rpc, call }: CheckContext): Promise<Finding[]> {
  const fields = ['credit_limit_amount', 'customer_payment_term']
  const params = [[['active', '=', true]], 0, MOST_PARTIES, [['id', 'ASC']], fields]
  const rows = await rpc(Parties, 'party.party.search_read', params, call())
  const termless = rows.filter((row) => row.credit_limit_amount && row.customer_payment_term == null)
  if (termless.length === 0) return []
  return [
    createFinding(
      'warning',
      'payment_term',
      `${termless.length} customers with a credit limit have no payment term: what they buy is due at once (parties ${formatNameList(termless.map(({ id }) => String(id)))})`,
      'Give them a payment term in Tryton (Party > Accounting), or a default one (Financial > Configuration)',
    ),
  ]
}

/** Orders that wait for a person's hand do not move on the storefront. */
async function lookAtShop({ rpc, call }: CheckContext): Promise<Finding[]> {
  const methods = ['sale_invoice_method', 'sale_shipment_method'] as const
  const [shop] = await rpc(Shop, 'sale.configuration.read', [[1], [...methods]], call())
  return methods
    .filter((method) => shop?.[method] === 'manual')
    .map((method) =>
      createFinding(
        'note',
        method,
        `${method === 'sale_invoice_method' ? 'invoices' : 'shipments'} of orders are made by hand`,
        'Nothing is to be done, if that is meant: orders show no progress until somebody makes them (Sales > Configuration)',
      ),
    )
}
