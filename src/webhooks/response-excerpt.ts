export const MAX_EXCERPT_BYTES = 1_024

/** Converts the beginning of a response to printable text: at most 1 KiB of UTF-8 without control and format characters; `null`: nothing is left. */
export function toResponseExcerpt(beginning: Uint8Array): string | null {
  // Streaming mode drops a character that was cut in two.
  const text = new TextDecoder().decode(beginning.subarray(0, MAX_EXCERPT_BYTES), { stream: true })
  const clean = text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
  return clean === '' ? null : truncate(clean)
}

/** Replacement characters can make the text longer than its source bytes. */
function truncate(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.length <= MAX_EXCERPT_BYTES
    ? text
    : new TextDecoder().decode(bytes.subarray(0, MAX_EXCERPT_BYTES), { stream: true })
}
