/** The common settings of the sign-in routes: publishable keys may call them, and their input is neither echoed nor cached. */
export const shopperRouteDefaults = {
  method: 'POST',
  tag: 'Shoppers',
  scope: 'storefront:auth',
  hasSecretInput: true,
  caching: 'none',
} as const

/** Linking makes two sequential calls to the accounting system. */
export const CUSTOMER_LINKING_DEADLINE_MS = 5_000
