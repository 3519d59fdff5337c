import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import type { ContentCoding } from '../cache/representation.ts'

const negotiated = new LRUCache<string, ContentCoding>({ max: 500 })

/** The coding that a request prefers of those that are made here (RFC 9110, 12.5.3); remembered by the header's text. */
export function negotiateEncoding(acceptEncoding: string | undefined): ContentCoding {
  if (!acceptEncoding || acceptEncoding === 'identity') return 'identity'
  const seen = negotiated.get(acceptEncoding)
  if (seen) return seen
  const negotiator = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding },
  }) as unknown as PreferringNegotiator
  const coding = (negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] }) ??
    'identity') as ContentCoding
  if (acceptEncoding.length <= 256) negotiated.set(acceptEncoding, coding)
  return coding
}

/** negotiator 1.1 takes our order of preference, which its published types do not know yet. */
interface PreferringNegotiator {
  encoding(available: string[], options: { preferred: string[] }): string | undefined
}
