/** Paths of other shop APIs below /v1 that have another form here, some for one method only. `*` stands for an id. */
const OTHER_PATHS = {
  login: 'POST /v1/shoppers/login',
  'auth/login': 'POST /v1/shoppers/login',
  token: 'POST /v1/shoppers/login',
  'auth/token': 'POST /v1/shoppers/login',
  logout: 'POST /v1/shoppers/logout',
  'auth/logout': 'POST /v1/shoppers/logout',
  register: 'POST /v1/shoppers',
  signup: 'POST /v1/shoppers',
  'auth/register': 'POST /v1/shoppers',
  'shoppers/register': 'POST /v1/shoppers',
  'shoppers/me': 'GET /v1/me',
  'customers/me': 'GET /v1/me',
  account: 'GET /v1/me',
  profile: 'GET /v1/me',
  search: 'GET /v1/products?q={text}',
  'products/*/stock': 'GET /v1/products/{sku}/availability',
  'products/*/inventory': 'GET /v1/products/{sku}/availability',
  'products/*/price': 'GET /v1/products/{sku}',
  health: 'GET /health',
  'carts/*/checkout': 'POST /v1/checkout, with the cart_id in the body',
  'GET carts/*/items': 'GET /v1/carts/{cart_id}',
  'carts/*/items': 'POST /v1/carts/{cart_id}/lines',
  'carts/*/items/*': 'PATCH /v1/carts/{cart_id}/lines/{line_id}',
  'carts/*/coupons': 'POST /v1/carts/{cart_id}/promotions',
  'invoices/*/pdf': 'GET /v1/invoices/{invoice_id}/document',
  'inventory/*': 'GET /v1/products/{sku}/availability',
  'stock/*': 'GET /v1/products/{sku}/availability',
  prices: 'GET /v1/products, which has the prices',
  pricing: 'GET /v1/products, which has the prices',
  'prices/*': 'GET /v1/products/{sku}, which has the price',
  'me/orders': 'GET /v1/orders',
  'me/invoices': 'GET /v1/invoices',
  'me/cart': 'GET /v1/carts/current',
  'me/addresses': 'GET /v1/me, which has the addresses',
  addresses: 'GET /v1/me, which has the addresses',
  vehicles: 'GET /v1/vehicles/years, then makes, then models, which have a vehicle_id',
  'orders/*/payment-status': 'GET /v1/checkout/{order_id}/payment-status',
  'orders/*/tracking': 'GET /v1/orders/{order_id}, which has the shipments',
  'orders/*/shipments': 'GET /v1/orders/{order_id}, which has the shipments',
  'webhooks/*/test': 'POST /v1/webhooks/{subscription_id}/ping',
} as const

/** What the API does not offer, and what to do instead. */
const NOT_OFFERED = {
  graphql: 'There is no GraphQL: the API consists of the routes in /docs.',
  stream: 'There is no stream: read GET /v1/events again and again, or subscribe with POST /v1/webhooks.',
  'events/stream': 'There is no stream: read GET /v1/events again and again, or subscribe with POST /v1/webhooks.',
  'invoices/*/pay': 'There are no payments of invoices: the merchant receives them by other means.',
  'orders/*/returns': 'There are no returns: the shopper contacts the merchant.',
  returns: 'There are no returns: the shopper contacts the merchant.',
} as const

/** Paths that a misspelled route may have too: they count last. */
const LAST_PATHS = {
  'availability/*': 'GET /v1/products/{sku}/availability',
  'customers/*': 'GET /v1/me',
  'shoppers/*': 'GET /v1/me',
} as const

interface OtherPath {
  segments: readonly string[]
  /** Absent: any. */
  method: string | undefined
  sentence: string
}

const toOtherPath = ([asked, sentence]: readonly [asked: string, sentence: string]): OtherPath => {
  const [path, method] = asked.split(' ').reverse()
  return { segments: path!.split('/'), method, sentence }
}

const toSuggestions = (paths: Readonly<Record<string, string>>): OtherPath[] =>
  Object.entries(paths).map(([asked, suggestion]) => toOtherPath([asked, `Did you mean ${suggestion}?`]))

const otherPaths = [...toSuggestions(OTHER_PATHS), ...Object.entries(NOT_OFFERED).map(toOtherPath)]
const lastPaths = toSuggestions(LAST_PATHS)

/** Returns a sentence about a path of another shop API, given its segments below /v1. */
export const findOtherPath = (path: readonly string[], method: string): string | undefined =>
  otherPaths.find((one) => (one.method ?? method) === method && isLike(one.segments, path))?.sentence

/** Returns the same about a path that no route resembles. */
export const findLastPath = (path: readonly string[]): string | undefined =>
  lastPaths.find(({ segments }) => isLike(segments, path))?.sentence

const isLike = (known: readonly string[], asked: readonly string[]): boolean =>
  known.length === asked.length && known.every((segment, at) => segment === '*' || segment === asked[at])
