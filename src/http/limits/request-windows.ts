import { LRUCache } from 'lru-cache'

/** The requests that were counted in one minute. */
export interface RequestWindow {
  count: number
  /** In milliseconds of a monotonic clock. */
  endsAt: number
}

/** Counts requests by name in minutes, each of which starts with the first request. */
export interface RequestWindows {
  /** Returns the current window, or starts one. */
  open(name: string, at: number): RequestWindow
  /** Returns the current window, if there is one. */
  current(name: string, at: number): RequestWindow | undefined
  /** Returns the window that ends at that time, unless a later one has replaced it. */
  find(name: string, endsAt: number): RequestWindow | undefined
}

export const RATE_LIMIT_WINDOW_SECONDS = 60
const WINDOW_MS = RATE_LIMIT_WINDOW_SECONDS * 1_000

/** `max`: the number of names that are remembered; beyond it, the least recently used ones are forgotten. */
export function createRequestWindows(max: number): RequestWindows {
  const windows = new LRUCache<string, RequestWindow>({ max })
  const current = (name: string, at: number) => {
    const window = windows.get(name)
    return window && at < window.endsAt ? window : undefined
  }
  return {
    current,
    open(name, at) {
      const open = current(name, at)
      if (open) return open
      const window = { count: 0, endsAt: at + WINDOW_MS }
      windows.set(name, window)
      return window
    },
    find(name, endsAt) {
      const window = windows.peek(name)
      return window?.endsAt === endsAt ? window : undefined
    },
  }
}
