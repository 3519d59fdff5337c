import type { ApiKeyKind } from './api-key-format.ts'

const publishableScopes = ['storefront:catalog', 'storefront:auth']

export const defaultScopes: Record<ApiKeyKind, readonly string[]> = {
  publishable: publishableScopes,
  secret: [
    ...publishableScopes,
    'storefront:customer',
    'storefront:cart',
    'storefront:checkout',
    'storefront:orders',
    'storefront:invoices',
    'storefront:webhooks',
  ],
}
export const defaultRatesPerMinute: Record<ApiKeyKind, number> = { publishable: 600, secret: 1_200 }
