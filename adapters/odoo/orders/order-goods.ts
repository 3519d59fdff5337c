import { combineTaxes } from '../pricing/combined-tax.ts'
import { isMixedCart } from '../pricing/prices-without-tax.ts'
import type { OrderSources } from './order-sources.ts'
import type { SaleRow } from './sale-schemas.ts'

/** Returns the lines of an order that are not notes or sections. */
export const goodsOf = ({ order_line }: SaleRow) => order_line.filter(({ display_type }) => !display_type)

/** Returns whether some prices of an order include tax and others do not. */
export const isMixed = (row: SaleRow, { taxes }: Pick<OrderSources, 'taxes'>) =>
  isMixedCart(goodsOf(row).flatMap(({ tax_ids }) => combineTaxes(tax_ids, taxes) ?? []))
