import type { Carrier } from './carrier-reader.ts'

/** Returns the list price of a carrier's product; `null` without one. */
export const findCarrierListPrice = ({ 'carrier_product.': product }: Carrier): string | null =>
  (product.list_price ?? product['template.'].list_price)?.decimal ?? null
