import type { Fault } from './faults.ts'

/** Sets what a system does wrong from now on, in place of what was set before. Resolves when it is so. */
export function setFault(controlAddress: string, fault: Fault): Promise<void> {
  return send(controlAddress, 'PUT', ['faults'], fault).then(nothing)
}

export function clearFaults(controlAddress: string): Promise<void> {
  return send(controlAddress, 'DELETE', ['faults']).then(nothing)
}

/** Calls since the start or the last reset, by operation. */
export function calls(controlAddress: string): Promise<Record<string, number>> {
  return send(controlAddress, 'GET', ['calls']) as Promise<Record<string, number>>
}

export function resetCalls(controlAddress: string): Promise<void> {
  return send(controlAddress, 'POST', ['calls', 'reset']).then(nothing)
}

export interface StockChange {
  available: number
  expected: { date: string; quantity: number }[]
}

export function setStock(controlAddress: string, account: string, sku: string, stock: StockChange): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'stock', sku], stock).then(nothing)
}

export interface ProductChange {
  name?: string
  description?: string | null
  brand?: string | null
  active?: boolean
  tags?: string[]
  /** media_ids in their new order; those left out are removed. */
  media?: string[]
}

/** Changes a product and answers its new change time. */
export async function changeProduct(
  controlAddress: string,
  account: string,
  sku: string,
  change: ProductChange,
): Promise<string> {
  const kept = (await send(controlAddress, 'PATCH', [account, 'products', sku], change)) as { updated_at: string }
  return kept.updated_at
}

/** Sets the list price, without quantity breaks. */
export function setPrice(controlAddress: string, account: string, sku: string, amount: string): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'prices', sku], { amount }).then(nothing)
}

async function send(controlAddress: string, method: string, segments: string[], body?: unknown): Promise<unknown> {
  const response = await fetch(`${controlAddress}/${segments.map(encodeURIComponent).join('/')}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok)
    throw new Error(`the sandbox refused ${method} ${segments.join('/')}: ${response.status} ${await response.text()}`)
  return response.json()
}

const nothing = () => {}
