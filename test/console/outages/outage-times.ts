export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** The local time of the merchants. */
export const toLocalTime = (ms: number): string => new Date(ms - 5 * HOUR_MS).toISOString()
export const toClock = (ms: number): string => `${toLocalTime(ms).slice(11, 19)} GMT-5`

/** Adds a time that is three minutes off to a path, as somebody remembers it. */
export const around = (path: string, ms: number): string =>
  `${path}at=${toLocalTime(ms + 3 * MINUTE_MS).slice(0, 16)}&zone=America/Jamaica`
