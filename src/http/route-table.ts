/** The target of a path and a method, and the decoded parameters of the path. */
export interface RouteMatch<T> {
  target: T
  params: Record<string, string>
}

/** Finds targets by paths such as `/v1/products/:sku`. Paths are case-sensitive, and a parameter is never empty. */
export interface RouteTable<T> {
  add(methods: readonly string[], path: string, target: T): void
  find(method: string, path: string): RouteMatch<T> | null
  /** Returns the methods of a path; none if it is unknown. */
  methodsOf(path: string): string[]
}

interface PathPattern<T> {
  path: string
  segments: readonly string[]
  targets: Map<string, T>
}

/** Creates a table in which a path is compared only with paths of as many segments. */
export function createRouteTable<T>(): RouteTable<T> {
  const byLength = new Map<number, PathPattern<T>[]>()

  function patternOf(path: string): PathPattern<T> {
    const segments = path.split('/')
    const patterns = byLength.getOrInsertComputed(segments.length, () => [])
    const known = patterns.find((pattern) => pattern.path === path)
    if (known) return known
    const pattern = { path, segments, targets: new Map<string, T>() }
    patterns.push(pattern)
    return pattern
  }

  return {
    add(methods, path, target) {
      const { targets } = patternOf(path)
      for (const method of methods) targets.set(method, target)
    },
    find(method, path) {
      const texts = path.split('/')
      for (const { segments, targets } of byLength.get(texts.length) ?? []) {
        const target = targets.get(method)
        if (target !== undefined && isMatch(segments, texts)) return { target, params: readParams(segments, texts) }
      }
      return null
    },
    methodsOf(path) {
      const texts = path.split('/')
      const matching = (byLength.get(texts.length) ?? []).filter(({ segments }) => isMatch(segments, texts))
      return matching.flatMap(({ targets }) => [...targets.keys()])
    },
  }
}

const isParameter = (segment: string) => segment.startsWith(':')

/** Compares from the end, because all paths begin alike. */
function isMatch(segments: readonly string[], texts: readonly string[]): boolean {
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at]!
    if (isParameter(segment) ? texts[at] === '' : texts[at] !== segment) return false
  }
  return true
}

function readParams(segments: readonly string[], texts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries())
    if (isParameter(segment)) params[segment.slice(1)] = decode(texts[at]!)
  return params
}

/** A segment with malformed percent-encoding is taken as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
