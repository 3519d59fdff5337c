import { type Mode, modes } from '../../tenant.ts'
import type { TemplateResponse } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'

const MAX_SHOWN_LENGTH = 80

/** Reads the merchant and the mode of a query. Unknown values count as none. */
export function readMerchantFilter(
  query: URLSearchParams,
  { all }: MerchantDirectory,
): { merchant: string | null; mode: Mode | null } {
  const merchant = query.get('merchant')
  const mode = query.get('mode')
  return {
    merchant: all.some((entry) => entry.merchant === merchant) ? merchant : null,
    mode: modes.find((known) => known === mode) ?? null,
  }
}

/**
 * Returns a 404 page with links to the known merchants or modes if the query names an unknown one, or else `null`. The page must not show
 * another merchant in its place.
 */
export function checkMerchantFilter(
  path: string,
  query: URLSearchParams,
  { all }: MerchantDirectory,
): TemplateResponse | null {
  const options = {
    merchant: all.map(({ merchant, name }) => ({ value: merchant, name })),
    mode: modes.map((mode) => ({ value: mode, name: mode })),
  }
  for (const field of ['merchant', 'mode'] as const) {
    const value = query.get(field) ?? ''
    if (value === '' || options[field].some((option) => option.value === value)) continue
    const links = options[field].map((option) => ({
      name: option.name,
      href: `${path}?${replaceField(query, field, option.value)}`,
    }))
    const view = { field, value: value.slice(0, MAX_SHOWN_LENGTH), links }
    return { template: 'unknown-merchant', title: `No such ${field}`, view, status: 404 }
  }
  return null
}

function replaceField(query: URLSearchParams, field: string, value: string): URLSearchParams {
  const replaced = new URLSearchParams(query)
  replaced.set(field, value)
  // The cursor belongs to the list of the other merchant.
  replaced.delete('before')
  return replaced
}
