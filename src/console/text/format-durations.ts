const SECOND_MS = 1_000
const steps = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [SECOND_MS, 's'],
] as const

/** `1 min 5 s`: the two largest units; below a second `420 ms`. */
export function formatDuration(ms: number): string {
  const first = steps.findIndex(([size]) => ms >= size)
  if (first < 0) return `${Math.max(0, Math.round(ms))} ms`
  const [size, unit] = steps[first]!
  const [smaller, below] = steps[first + 1] ?? [0, '']
  const rest = smaller === 0 ? 0 : Math.floor((ms % size) / smaller)
  return `${Math.floor(ms / size)} ${unit}${rest > 0 ? ` ${rest} ${below}` : ''}`
}

/** `3 min ago`. */
export function formatTimeAgo(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  if (ms < SECOND_MS) return 'just now'
  const [size, unit] = steps.find(([of]) => ms >= of)!
  return `${Math.floor(ms / size)} ${unit} ago`
}
