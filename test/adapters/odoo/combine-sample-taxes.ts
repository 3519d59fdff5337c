import { Decimal } from 'decimal.js'
import { combineTaxes, type TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'

const tax = (id: number, name: string, amount: string, more: Partial<TaxRow> = {}): [number, TaxRow] => [
  id,
  {
    ...{ id, name, label: name, kind: 'percent', amount: new Decimal(amount), order: id, childIds: [] },
    ...{ isIncluded: false, affectsLater: false, isAffected: true, ...more },
  },
]
const included = { isIncluded: true }
const taxes = new Map([
  tax(1, 'GCT', '15'),
  tax(2, 'Levy', '2'),
  tax(3, 'Fee', '2.50', { kind: 'fixed' }),
  tax(4, 'GCT in', '15', included),
  tax(5, 'None', '0'),
  tax(6, 'By code', '0', { kind: null }),
  tax(7, 'State', '0', { kind: 'group', childIds: [9, 8] }),
  tax(8, 'Central', '9'),
  tax(9, 'Local', '8'),
  tax(10, 'Gone', '0', { kind: 'group', childIds: [8, 99] }),
  tax(11, 'Surtax', '10', { affectsLater: true }),
  tax(12, 'After', '20'),
  tax(13, 'In a group', '0', { kind: 'group', childIds: [4] }),
  tax(14, 'Fee in', '1.50', { kind: 'fixed', ...included }),
])
/** Combines some of these taxes by their ids. */
export const combineSampleTaxes = (...ids: number[]) => combineTaxes(ids, taxes)
