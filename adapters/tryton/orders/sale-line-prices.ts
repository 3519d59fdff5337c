import type { SaleLineRow } from './order-record-reader.ts'

/** The unit price before promotions: a quotation stores it next to the resulting one. */
export const priceBeforePromotions = (row: SaleLineRow): string =>
  (row.original_unit_price ?? row.draft_unit_price ?? row.unit_price)?.decimal ?? '0'

/** The unit price after promotions. */
export const priceAfterPromotions = (row: SaleLineRow): string => row.unit_price?.decimal ?? '0'
