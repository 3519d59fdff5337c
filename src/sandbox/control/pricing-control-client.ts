import type { StoredPrice } from '../pricing/price-store.ts'
import { sendControlRequest } from './control-client.ts'

export function readListPrice(controlAddress: string, account: string, sku: string): Promise<StoredPrice> {
  return sendControlRequest(controlAddress, 'GET', [account, 'prices', sku]) as Promise<StoredPrice>
}

/** Sets the list price and removes its quantity breaks. A SKU without a price needs a `uom`. */
export async function setPrice(
  controlAddress: string,
  account: string,
  sku: string,
  amount: string,
  uom?: string,
): Promise<void> {
  await sendControlRequest(controlAddress, 'PUT', [account, 'prices', sku], { amount, uom })
}
