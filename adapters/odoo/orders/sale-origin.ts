import type { OdooText } from '../client/odoo-values.ts'

/** The source document of an order of the shop: the channel and the reference. */
export const SALE_ORIGIN_PREFIX = 'ECOMMERCE '
/** The source document of a refused order. It differs, so that no list of orders contains the order. */
export const REFUSED_SALE_ORIGIN_PREFIX = 'ECOMMERCE-REFUSED '

/** Returns the reference of an order's placement; `null` for an order that was not placed through Forecourt. */
export function toReference(origin: OdooText): string | null {
  if (!origin) return null
  const prefix = [SALE_ORIGIN_PREFIX, REFUSED_SALE_ORIGIN_PREFIX].find((one) => origin.startsWith(one))
  return prefix === undefined ? null : origin.slice(prefix.length)
}
