import leven from 'leven'

interface KnownRoute {
  /** With `:name` for a parameter. */
  path: string
  methods: readonly string[]
}

interface Candidate extends KnownRoute {
  segments: readonly string[]
}

/** Bounds the work for one request. */
const MAX_PATH_LENGTH = 512
const MAX_SEGMENTS = 8

/** The names that other shop APIs use for a segment of a path. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  items: 'products',
  parts: 'products',
  basket: 'carts',
  baskets: 'carts',
  customers: 'shoppers',
  users: 'shoppers',
  signin: 'login',
  signout: 'logout',
  coupons: 'promotions',
  subscriptions: 'webhooks',
}

interface OtherPath {
  segments: readonly string[]
  /** Absent: any. */
  method: string | undefined
  suggestion: string
}

/** Paths of other shop APIs below /v1 that have another form here. `*` stands for an id. */
const OTHER_PATHS: readonly OtherPath[] = Object.entries({
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
}).map(([asked, suggestion]) => {
  const [path, method] = asked.split(' ').reverse()
  return { segments: path!.split('/'), method, suggestion }
})

const fold = (segment: string) => segment.toLowerCase().replaceAll('_', '-')

/**
 * Creates the search for the route that a wrong path probably means: with a slash at the end, without `/v1`, in another letter case, or
 * misspelled. It returns a method and a path, such as `GET /v1/products/{sku}`, or `null`.
 */
export function createRouteSuggestion(routes: readonly KnownRoute[]): (method: string, path: string) => string | null {
  const candidates = routes.map((route) => ({ ...route, segments: toSegments(route.path) }))
  return (method, path) => {
    if (path.length > MAX_PATH_LENGTH) return null
    const asked = method === 'HEAD' ? 'GET' : method
    const readings = readingsOf(path)
    const other = findOtherPath(readings, asked)
    if (other) return withAskedMethod(other, asked, candidates)
    const found = readings
      .flatMap((segments) => candidates.map((route) => ({ route, cost: costOf(route, segments, asked) })))
      .filter(({ cost }) => cost !== null)
      .sort((a, b) => a.cost! - b.cost!)[0]
    return found ? formatRoute(found.route, asked) : null
  }
}

const toSegments = (path: string) => path.split('/').filter(Boolean)

/** Returns the segments that a path may have meant: as they are, and below /v1. */
function readingsOf(path: string): string[][] {
  const all = toSegments(path).map(fold)
  const segments = all[0] === 'api' ? all.slice(1) : all
  if (segments.length === 0 || segments.length > MAX_SEGMENTS) return []
  if (/^v\d{1,3}$/.test(segments[0]!)) return [['v1', ...segments.slice(1)]]
  return [segments, ['v1', ...segments]]
}

function findOtherPath(readings: readonly string[][], asked: string): string | undefined {
  const path = readings.find(([first]) => first === 'v1')?.slice(1) ?? []
  const isLike = ({ segments, method = asked }: OtherPath) =>
    method === asked &&
    segments.length === path.length &&
    segments.every((segment, at) => segment === '*' || segment === path[at])
  return OTHER_PATHS.find(isLike)?.suggestion
}

/** Names the method that was sent, if the suggested path has it. */
function withAskedMethod(suggestion: string, asked: string, routes: readonly KnownRoute[]): string {
  const known = routes.map((route) => formatRoute(route, asked))
  return known.find((one) => one === suggestion.replace(/^[A-Z]+/, asked)) ?? suggestion
}

/** Returns how much a path differs from a route; `null`: too much. Equal words count before parameters, and the method decides between equals. */
function costOf({ segments, methods }: Candidate, asked: readonly string[], method: string): number | null {
  if (segments.length !== asked.length || segments.every((segment) => segment.startsWith(':'))) return null
  let cost = methods.includes(method) ? 0 : 0.25
  for (const [at, segment] of segments.entries()) {
    const difference = segment.startsWith(':') ? 0.5 : differenceOf(fold(segment), asked[at]!)
    if (difference === null) return null
    cost += difference
  }
  return cost
}

function differenceOf(known: string, asked: string): number | null {
  if (known === asked) return 0
  if (Object.hasOwn(OTHER_NAMES, asked) && OTHER_NAMES[asked] === known) return 1
  if (asked.length > 32 || known === 'v1') return null
  const maxDistance = known.length < 8 ? 1 : 2
  const distance = leven(known, asked, { maxDistance: maxDistance + 1 })
  return distance <= maxDistance ? distance : null
}

const formatRoute = ({ path, methods }: KnownRoute, asked: string) =>
  `${methods.includes(asked) ? asked : methods[0]} ${path.replace(/:(\w+)/g, '{$1}')}`
