/** Asks an inventory for the product and the stock of each SKU. */
export const BOTH = { product: true, stock: true }
