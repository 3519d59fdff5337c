/** Milliseconds from now that a Retry-After header (RFC 9110, section 10.2.3: seconds or an HTTP date) asks to wait, `maxMs` at most; `null` when there is nothing to wait for. */
export function parseRetryAfterMs(
  header: string | string[] | undefined,
  { now, maxMs }: { now: number; maxMs: number },
): number | null {
  if (typeof header !== 'string') return null
  const text = header.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : msUntil(text, now)
  return Number.isNaN(waitMs) || waitMs <= 0 ? null : Math.min(waitMs, maxMs)
}

/** `NaN` unless the text begins with the name of a day: Date.parse takes "-5" for a year. The asctime form has no zone, and means GMT. */
const msUntil = (text: string, now: number) =>
  /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text) - now : Number.NaN
