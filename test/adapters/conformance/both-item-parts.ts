/** Asks an inventory for the product and the stock of each SKU. */
export const BOTH_ITEM_PARTS = { product: true, stock: true }
