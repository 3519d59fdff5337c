import leven from 'leven'
import { findLastPath, findOtherPath } from './other-api-paths.ts'

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

const fold = (segment: string) => segment.toLowerCase().replaceAll('_', '-')

/**
 * Creates the search for the route that a wrong path probably means: with a slash at the end, without `/v1`, in another letter case, or
 * misspelled. It returns a sentence, such as `Did you mean GET /v1/products/{sku}?`, or `null`.
 */
export function createRouteSuggestion(routes: readonly KnownRoute[]): (method: string, path: string) => string | null {
  const candidates = routes.map((route) => ({ ...route, segments: toSegments(route.path) }))
  return (method, path) => {
    if (path.length > MAX_PATH_LENGTH) return null
    const asked = method === 'HEAD' ? 'GET' : method
    const readings = readingsOf(path)
    const belowV1 = readings.find(([first]) => first === 'v1')?.slice(1) ?? []
    const other = findOtherPath(belowV1, asked)
    if (other) return withAskedMethod(other, asked, candidates)
    const found = readings
      .flatMap((segments) => candidates.map((route) => ({ route, cost: costOf(route, segments, asked) })))
      .filter(({ cost }) => cost !== null)
      .sort((a, b) => a.cost! - b.cost!)[0]
    return found ? `Did you mean ${formatRoute(found.route, asked)}?` : (findLastPath(belowV1) ?? null)
  }
}

const toSegments = (path: string) =>
  path
    .replace(/\.json$/, '')
    .split('/')
    .filter(Boolean)

/** Returns the segments that a path may have meant: as they are, and below /v1. */
function readingsOf(path: string): string[][] {
  const all = toSegments(path).map(fold)
  const segments = all[0] === 'api' ? all.slice(1) : all
  if (segments.length === 0 || segments.length > MAX_SEGMENTS) return []
  if (/^v\d{1,3}$/.test(segments[0]!)) return [['v1', ...segments.slice(1)]]
  return [segments, ['v1', ...segments]]
}

/** Names the method that was sent, if the suggested path has it. */
function withAskedMethod(sentence: string, asked: string, routes: readonly KnownRoute[]): string {
  const known = routes.map((route) => `Did you mean ${formatRoute(route, asked)}?`)
  return known.find((one) => one === sentence.replace(/^(Did you mean )[A-Z]+/, `$1${asked}`)) ?? sentence
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
