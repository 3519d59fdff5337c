/** A percent-encoded ASCII character, also one that was encoded several times: `%41`, `%2541`. */
const ENCODED = /%(?:25)*([2-7][0-9A-Fa-f])/g
const MAX_DECODINGS = 4

/** Decodes several times: `%25%34%31` becomes `%2541`, and then `A`. */
export function decodeAscii(text: string): string {
  let decoded = text
  for (let round = 0; round < MAX_DECODINGS && decoded.includes('%'); round += 1)
    decoded = decoded.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded
}
