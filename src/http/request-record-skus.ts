import type { RequestState } from './context.ts'

const MAX_SKUS = 20

/** Returns the first SKUs that the path, the body and the problem of the response name. Path and body may be invalid. */
export function readRequestRecordSkus({
  params,
  body,
  refusedSkus = [],
}: Pick<RequestState, 'params' | 'body' | 'refusedSkus'>): string[] {
  const { sku, skus, lines } = toObject(body)
  const asked = [toObject(params).sku, sku, ...toList(skus), ...toList(lines).map((line) => toObject(line).sku)]
  const named = [...refusedSkus, ...asked]
  return [...new Set(named.filter((one) => typeof one === 'string'))].slice(0, MAX_SKUS)
}

const toObject = (value: unknown): { sku?: unknown; skus?: unknown; lines?: unknown } =>
  typeof value === 'object' && value !== null ? value : {}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_SKUS) : [])
