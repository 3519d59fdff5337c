import type { SaleRow } from './order-record-reader.ts'
import { parseCancellation, parseRefusal } from './sale-outcome-text.ts'

/**
 * Returns true when a sale is not an order: it was refused, or it is a draft whose checkout is in progress and that is
 * not being cancelled.
 */
export const isUnplacedSale = (sale: SaleRow) =>
  ((sale.state === 'draft' || sale.state === 'quotation') && parseCancellation(sale.description) === null) ||
  (sale.state === 'cancelled' && parseRefusal(sale.description) !== null)

/** The domain of sales for which `isUnplacedSale` is false. `ilike` would also match the description of a cancelled order. */
export const placedSalesDomain = [
  'OR',
  [['state', 'in', ['confirmed', 'processing', 'done']]],
  [
    ['state', '=', 'cancelled'],
    ['OR', [['description', '=', null]], [['description', 'not like', 'ECOMMERCE refused %']]],
    ['OR', [['comment', '=', null]], [['comment', 'not like', 'ECOMMERCE refused %']]],
  ],
]
