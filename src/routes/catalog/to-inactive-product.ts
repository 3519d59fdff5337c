import type { Product } from '../../ports/inventory.ts'

/** Returns a withdrawn product as a sync shows it. */
export const toInactiveProduct = ({ sku, active, updated_at }: Product) => ({ sku, active, updated_at })
