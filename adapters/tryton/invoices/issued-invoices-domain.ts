import { companyDomain } from '../company-domain.ts'
import type { TrytonContext } from '../context.ts'

/** Customer invoices with a number: a draft is not an invoice yet. */
export const issuedInvoicesDomain = (context: Pick<TrytonContext, 'settings'>): unknown[] => [
  companyDomain(context),
  ['type', '=', 'out'],
  ['number', '!=', null],
  ['state', 'in', ['posted', 'paid', 'cancelled']],
]
