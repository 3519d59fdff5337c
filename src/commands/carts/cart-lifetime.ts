/** An unchanged cart expires after this time. */
const LIFETIME_MS = 30 * 86_400_000

/** Returns the times of a cart that is written now: that of the write, and its expiry. */
export const toCartTimes = (now: number) => ({
  now: new Date(now).toISOString(),
  expiresAt: new Date(now + LIFETIME_MS).toISOString(),
})
