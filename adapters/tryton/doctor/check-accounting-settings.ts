import { Type } from 'typebox'
import { abbreviateList } from '../../../src/doctor/abbreviate-list.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { nullable, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import type { ExaminationContext } from './examination-context.ts'

const AccountingConfigurations = responseSchema(
  Type.Array(
    Type.Object({
      tax_rounding: Type.Optional(nullable(Type.String())),
      default_customer_payment_term: Type.Optional(nullable(TrytonId)),
    }),
  ),
)
const SaleConfigurations = responseSchema(
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
const MAX_PARTIES = 500

/** Checks accounting settings that affect what a storefront shows or a customer may do. */
export async function checkAccountingSettings(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, call } = context
  if (!hasAnySystem(context, 'accounting')) return []
  const capabilities = createCapabilities(rpc, Date.now)
  if (!(await capabilities.has('invoices', call()))) return []
  const [accountingConfiguration] = await rpc(
    AccountingConfigurations,
    'account.configuration.read',
    [[1], ['tax_rounding', 'default_customer_payment_term']],
    call(),
  )
  const terms =
    accountingConfiguration?.default_customer_payment_term == null && (await capabilities.has('creditLimits', call()))
      ? await checkPaymentTerms(context)
      : []
  const saleConfiguration = (await capabilities.has('orders', call())) ? await checkManualMethods(context) : []
  return [...checkTaxRounding(accountingConfiguration?.tax_rounding), ...terms, ...saleConfiguration]
}

const checkTaxRounding = (rounding: string | null | undefined): DoctorFinding[] =>
  rounding === 'document'
    ? [
        createFinding(
          'note',
          'tax_rounding',
          'taxes are rounded per document and not per line: a cart shows the same taxes as its order',
          'No action is needed; a storefront must not add up the taxes of lines itself',
        ),
      ]
    : []

async function checkPaymentTerms({ rpc, call }: ExaminationContext): Promise<DoctorFinding[]> {
  const fields = ['credit_limit_amount', 'customer_payment_term']
  const params = [[['active', '=', true]], 0, MAX_PARTIES, [['id', 'ASC']], fields]
  const rows = await rpc(Parties, 'party.party.search_read', params, call())
  const withoutTerm = rows.filter((row) => row.credit_limit_amount && row.customer_payment_term == null)
  if (withoutTerm.length === 0) return []
  return [
    createFinding(
      'warning',
      'payment_term',
      `${withoutTerm.length} customers with a credit limit have no payment term: their invoices are due immediately (parties ${abbreviateList(withoutTerm.map(({ id }) => String(id)))})`,
      'Set their payment term in Tryton (Party > Accounting), or a default one (Financial > Configuration)',
    ),
  ]
}

/** Reports the invoice and shipment methods `manual`: with them, orders make no progress on the storefront until staff act. */
async function checkManualMethods({ rpc, call }: ExaminationContext): Promise<DoctorFinding[]> {
  const methods = ['sale_invoice_method', 'sale_shipment_method'] as const
  const [saleConfiguration] = await rpc(SaleConfigurations, 'sale.configuration.read', [[1], [...methods]], call())
  return methods
    .filter((method) => saleConfiguration?.[method] === 'manual')
    .map((method) =>
      createFinding(
        'note',
        method,
        `${method === 'sale_invoice_method' ? 'invoices' : 'shipments'} of orders are created manually`,
        'If this is intended, no action is needed: orders show no progress until staff create them (Sales > Configuration)',
      ),
    )
}
