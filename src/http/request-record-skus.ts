import type { RequestState } from './context.ts'

const MAX_SKUS = 20

/** Returns the first SKUs that the path and the body name. Both may be invalid. */
export function readRequestRecordSkus({ params, body }: Pick<RequestState, 'params' | 'body'>): string[] {
  const { sku, skus, lines } = toObject(body)
  const named = [toObject(params).sku, sku, ...toList(skus), ...toList(lines).map((line) => toObject(line).sku)]
  return [...new Set(named.filter((one) => typeof one === 'string'))].slice(0, MAX_SKUS)
}

const toObject = (value: unknown): { sku?: unknown; skus?: unknown; lines?: unknown } =>
  typeof value === 'object' && value !== null ? value : {}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_SKUS) : [])
