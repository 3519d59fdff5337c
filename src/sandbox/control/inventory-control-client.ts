import type { StoredProduct, StoredStock } from '../inventory/catalog-store.ts'
import { sendControlRequest } from './control-client.ts'

export interface StockUpdate {
  available: number
  /** Default: unchanged, as of the members below. */
  expected?: { date: string; quantity: number }[]
  untracked?: boolean
  sell_when_out?: boolean
  expected_on?: string
  branches?: { branch_id: string; name: string; available: number }[]
}

/** Sets the stock of a SKU and returns the stored record. */
export function setStock(
  controlAddress: string,
  account: string,
  sku: string,
  stock: StockUpdate,
): Promise<StoredStock> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'stock', sku], stock) as Promise<StoredStock>
}

export interface ProductUpdate {
  name?: string
  description?: string | null
  brand?: string | null
  active?: boolean
  tags?: string[]
  /** The media_ids to keep, in their new order. */
  media?: string[]
}

/** Changes a product and returns its new change time. */
export async function updateProduct(
  controlAddress: string,
  account: string,
  sku: string,
  change: ProductUpdate,
): Promise<string> {
  const stored = (await sendControlRequest(controlAddress, 'PATCH', [account, 'products', sku], change)) as {
    updated_at: string
  }
  return stored.updated_at
}

/** Returns a stored product, active or not. */
export function readStoredProduct(controlAddress: string, account: string, sku: string): Promise<StoredProduct> {
  return sendControlRequest(controlAddress, 'GET', [account, 'products', sku]) as Promise<StoredProduct>
}

/** Deactivates a product and returns its new change time. */
export const withdrawProduct = (controlAddress: string, account: string, sku: string): Promise<string> =>
  updateProduct(controlAddress, account, sku, { active: false })

/** Activates a product and returns its new change time. */
export const restoreProduct = (controlAddress: string, account: string, sku: string): Promise<string> =>
  updateProduct(controlAddress, account, sku, { active: true })
