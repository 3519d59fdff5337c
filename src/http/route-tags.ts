/** The groups of the API's operations, in the order of the reference, each with its description. */
export const routeTags = {
  Diagnostics: 'Which key this is, and whether the process is well.',
  Catalog: 'Products, prices and pictures; search, suggestions, categories and tags.',
  Availability: 'The availability band of products. No response contains a stock count.',
  Vehicles: 'Model years, makes and models; which products fit which vehicle.',
  Shoppers: 'Registration, sign-in and passwords. A sign-in returns the shopper token that the other calls need.',
  Customer: 'The customer of a shopper token, and its credit.',
  Carts: 'Carts on the server. A change returns the cart with its new version.',
  Checkout: 'Turns a cart into an order, with live prices, stock, tax and credit.',
  Orders: 'Orders of the customer, from all channels.',
  Invoices: 'Invoices and credit notes of the customer.',
  Webhooks: 'Events: subscriptions of endpoints, deliveries, and the list of events to poll.',
} as const

export type RouteTag = keyof typeof routeTags
