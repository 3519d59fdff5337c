import type { Tenant } from '../tenant.ts'

/** Returns the path of a product's page. */
export const toProductPath = (merchant: string, mode: string, sku: string): string =>
  `/products/${[merchant, mode, sku].map(encodeURIComponent).join('/')}`

/** Returns the path of a customer's page. */
export const toCustomerPath = (merchant: string, mode: string, customerId: string): string =>
  `/customers/${[merchant, mode, customerId].map(encodeURIComponent).join('/')}`

export const toOrderPath = (orderId: string): string => `/orders/${encodeURIComponent(orderId)}`
export const toCartPath = (cartId: string): string => `/carts/${encodeURIComponent(cartId)}`
export const toKeyPath = (keyId: string): string => `/keys/${encodeURIComponent(keyId)}`
export const toShopperPath = (shopperId: string): string => `/shoppers/${encodeURIComponent(shopperId)}`
export const toRequestPath = (requestId: string): string => `/request?${new URLSearchParams({ id: requestId })}`
export const toTimelinePath = (merchant: string, mode: string): string =>
  `/timeline?${new URLSearchParams({ merchant, mode })}`
export const toMirrorPath = ({ merchant, mode }: Tenant): string => `/mirrors#${merchant}-${mode}`
export const toCodePath = (code: string): string => `/codes/${encodeURIComponent(code)}`
export const toAuditEntryPath = (action: string, entryId: string): string =>
  `/audit?${new URLSearchParams({ action })}#${entryId}`
export const toSearchPath = (text: string): string => `/find?${new URLSearchParams({ q: text })}`
