import { isOfDemoShop } from '../../diagnostics/demo-shop-route.ts'

/** What somebody asked for, by the operation of the API: the term `getProduct` may follow in brackets. */
const routeTitles: Readonly<Record<string, string>> = {
  getProduct: 'Product page',
  listProducts: 'Search or list of products',
  suggest: 'Suggestions while typing',
  lookUpNumber: 'Search by number',
  getCategories: 'Categories',
  getTags: 'Tags',
  picture: 'Picture',
  getAvailability: 'Availability of a product',
  getAvailabilityBatch: 'Availability of products',
  listVehicleYears: 'Years of vehicles',
  listVehicleMakes: 'Makes of vehicles',
  listVehicleModels: 'Models of vehicles',
  listVehicleProducts: 'Products for a vehicle',
  listProductFitments: 'Vehicles that a product fits',
  requestBackInStock: 'Ask for an email when in stock',
  listBackInStock: 'List of awaited products',
  deleteBackInStock: 'Stop waiting for a product',
  createCart: 'New cart',
  getCart: 'Cart',
  getCurrentCart: 'Current cart',
  listCarts: 'List of carts',
  addCartLine: 'Add to the cart',
  updateCartLine: 'Change a cart line',
  deleteCartLine: 'Remove from the cart',
  addCartPromotion: 'Add a promotion code',
  deleteCartPromotion: 'Remove a promotion code',
  listDeliveryOptions: 'Delivery options of a cart',
  priceCart: 'Cart totals',
  checkout: 'Checkout',
  getOrder: 'Order',
  listOrders: 'List of orders',
  cancelOrder: 'Cancel an order',
  reorder: 'Order again',
  getPaymentStatus: 'Payment status of an order',
  getInvoice: 'Invoice',
  getInvoiceDocument: 'Invoice document',
  listInvoices: 'List of invoices',
  getCreditStatus: 'Credit limit',
  getMe: 'Own customer account',
  registerShopper: 'Registration',
  verifyShopper: 'Verify an email address',
  logInShopper: 'Sign-in',
  refreshShopper: 'Stay signed in',
  logOutShopper: 'Sign-out',
  askForPasswordReset: 'Ask for a new password',
  confirmPasswordReset: 'Set a new password',
  createWebhook: 'New webhook subscription',
  listWebhooks: 'List of webhook subscriptions',
  getWebhook: 'Webhook subscription',
  updateWebhook: 'Change a webhook subscription',
  enableWebhook: 'Enable a webhook endpoint',
  disableWebhook: 'Disable a webhook endpoint',
  deleteWebhook: 'Delete a webhook subscription',
  rotateWebhookSecret: 'New signing secret',
  pingWebhook: 'Test event to a webhook endpoint',
  recoverWebhook: 'Send missed events again',
  listWebhookDeliveries: 'List of webhook deliveries',
  getWebhookDelivery: 'Webhook delivery',
  redeliverWebhook: 'Send an event again',
  listEvents: 'List of events',
  hintOfChanges: 'Hint that the catalog changed',
  ping: 'Ping',
  health: 'Health check',
}

/** What serves the requests of the browser to the demo shop. */
export const DEMO_SHOP_NAME = 'Server of the demo shop'

/** The route of a request that was refused before its route was known. */
const NO_ROUTE = 'none'

/** Returns what somebody asked for. A route without a title keeps its own name. */
export function describeRoute(route: string): string {
  if (route === NO_ROUTE) return 'Unknown: refused before the request was read'
  return isOfDemoShop({ route }) ? DEMO_SHOP_NAME : (routeTitles[route] ?? route)
}

/** Returns the operation of the API, to show beside its description; empty if it is not known. */
export const toShownRoute = (route: string): string => (route === NO_ROUTE ? '' : route)

/** The routes for a field that selects one, by title. */
export const routeChoices: readonly { route: string; title: string }[] = Object.entries(routeTitles)
  .map(([route, title]) => ({ route, title }))
  .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
