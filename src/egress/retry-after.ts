const LONGEST_MS = 3_600_000

/** What an endpoint asks for with 429 or 503 (RFC 9110, section 10.2.3), an hour at the most; `null`: nothing that can be understood. */
export function parseRetryAfterMs(status: number, header: string | undefined, now: number): number | null {
  if ((status !== 429 && status !== 503) || header === undefined) return null
  const text = header.trim()
  const asked = /^\d+$/.test(text) ? Number(text) * 1_000 : sinceNow(text, now)
  return Number.isNaN(asked) || asked <= 0 ? null : Math.min(asked, LONGEST_MS)
}

/** Dates alone: Date.parse takes "-5" for a year. */
const sinceNow = (text: string, now: number) => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) - now : Number.NaN)
