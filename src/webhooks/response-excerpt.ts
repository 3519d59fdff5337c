export const MAX_EXCERPT_BYTES = 1_024

/** The beginning of an answer, as text that can be stored and shown: at most 1 KiB of UTF-8 without control and format characters; `null`: nothing of it is left. */
export function toResponseExcerpt(beginning: Uint8Array): string | null {
  // As a stream: a character that was cut in two is left out.
  const text = new TextDecoder().decode(beginning.subarray(0, MAX_EXCERPT_BYTES), { stream: true })
  const clean = text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
  return clean === '' ? null : cut(clean)
}

/** What was not UTF-8 has grown. */
function cut(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.length <= MAX_EXCERPT_BYTES
    ? text
    : new TextDecoder().decode(bytes.subarray(0, MAX_EXCERPT_BYTES), { stream: true })
}
