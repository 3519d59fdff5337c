import type { ItemParts } from '../../src/ports/inventory.ts'

/** Returns a GET request. `rows`: the number of rows that it requests. */
export const toGetRequest = (path: string, query: Record<string, string | number | undefined> = {}, rows?: number) => ({
  method: 'GET' as const,
  path,
  query,
  ...(rows !== undefined && { rows }),
})

/** The protocol requires at least one part, and each part carries the SKU. */
export function includedParts({ product, stock }: ItemParts): string[] {
  return [...(product || !stock ? ['product'] : []), ...(stock ? ['stock'] : [])]
}
