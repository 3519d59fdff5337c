import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether an Authorization header carries this bearer token, in a time that does not tell how much of it was right. */
export function createTokenVerifier(token: string): (header: string | undefined) => boolean {
  const expected = digest(`Bearer ${token}`)
  return (header) => timingSafeEqual(digest(header ?? ''), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
