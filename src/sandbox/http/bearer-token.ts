import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns a constant-time check of an Authorization header against this bearer token. */
export function createTokenVerifier(token: string): (header: string | undefined) => boolean {
  const expected = digest(`Bearer ${token}`)
  return (header) => timingSafeEqual(digest(header ?? ''), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
