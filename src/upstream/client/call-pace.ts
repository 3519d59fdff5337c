import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import { abortReason } from './http-errors.ts'
import type { TokenBucket } from './token-bucket.ts'

/** Spreads the calls of a system over the minute that its owner allows them for. */
export interface CallPace {
  /** Resolves when the call may be made. Rejects with `overloaded` when that would be too late for it. */
  admit(call: Call): Promise<void>
}

export interface CallPaceParts {
  perMinute: number
  bucket: TokenBucket
  /** Milliseconds. */
  now: () => number
  /** Runs a function later. Returns a function that cancels it. */
  schedule?: (ms: number, run: () => void) => () => void
}

interface Waiter {
  /** When the call would have too little time left, in milliseconds. */
  startBy: number
  admit(): void
  refuse(error: unknown): void
}

/** The share of a call's time that it may wait. The rest is for the system, which must not look slow because of its limit. */
const WAITING_SHARE = 0.5

/** While both wait, one call in this many is for a change feed. So feeds make progress, and hardly delay pages and checkouts. */
const BACKGROUND_TURN = 10

/** Calls are admitted in the order in which they came; those of change feeds after the others, but for one in ten. */
export function createCallPace({ perMinute, bucket, now, schedule = scheduleTimeout }: CallPaceParts): CallPace {
  const requests: Waiter[] = []
  const background: Waiter[] = []
  let turns = 0
  let cancel: (() => void) | null = null

  function refuseLate(queue: Waiter[]): void {
    for (const waiter of queue.filter(({ startBy }) => startBy < now())) {
      remove(queue, waiter)
      waiter.refuse(usedUp(perMinute))
    }
  }

  function proceed(): void {
    cancel?.()
    cancel = null
    refuseLate(requests)
    refuseLate(background)
    while (requests.length + background.length > 0 && bucket.take()) nextQueue().shift()!.admit()
    const times = [...requests, ...background].map(({ startBy }) => startBy - now() + 1)
    if (times.length > 0) cancel = schedule(Math.max(1, Math.ceil(Math.min(bucket.msUntilNext(), ...times))), proceed)
  }

  function nextQueue(): Waiter[] {
    if (requests.length === 0) return background
    if (background.length === 0) return requests
    turns += 1
    return turns % BACKGROUND_TURN === 0 ? background : requests
  }

  return {
    async admit(call) {
      if (requests.length + background.length === 0 && bucket.take()) return
      const queue = call.isBackground ? background : requests
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiter = { startBy: now() + call.timeoutMs() * WAITING_SHARE, admit: resolve, refuse: reject }
      const leave = () => {
        remove(queue, waiter)
        reject(abortReason(call.signal))
      }
      call.signal.addEventListener('abort', leave, { once: true })
      queue.push(waiter)
      proceed()
      try {
        await promise
      } finally {
        call.signal.removeEventListener('abort', leave)
      }
    },
  }
}

function remove(queue: Waiter[], waiter: Waiter): void {
  const position = queue.indexOf(waiter)
  if (position >= 0) queue.splice(position, 1)
}

function usedUp(perMinute: number): UpstreamError {
  const cause = `all ${perMinute} calls of this minute are used up: no call was made`
  return new UpstreamError('overloaded', cause, { summary: cause, retryAfterMs: 1_000 })
}

function scheduleTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
