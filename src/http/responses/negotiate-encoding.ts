import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import type { ContentCoding } from '../../cache/representation.ts'

const cache = new LRUCache<string, ContentCoding>({ max: 500 })

/** Returns the coding that the client prefers among br, gzip and identity (RFC 9110, 12.5.3), cached by the header's text. */
export function negotiateEncoding(acceptEncoding: string | undefined): ContentCoding {
  if (!acceptEncoding || acceptEncoding === 'identity') return 'identity'
  const cached = cache.get(acceptEncoding)
  if (cached) return cached
  const negotiator = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding },
  }) as unknown as PreferringNegotiator
  const coding = (negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] }) ??
    'identity') as ContentCoding
  if (acceptEncoding.length <= 256) cache.set(acceptEncoding, coding)
  return coding
}

/** negotiator 1.1 accepts the server's order of preference; its published types do not have the option yet. */
interface PreferringNegotiator {
  encoding(available: string[], options: { preferred: string[] }): string | undefined
}
