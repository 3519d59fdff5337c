import type { UpstreamFailure } from '../errors.ts'
import type { System } from '../ports/system.ts'

/** Failures that a sandbox key asked for, by system, for one request. */
export type Faults = Partial<Record<System, UpstreamFailure>>

/** One storefront request, or one refresh behind it, as the sources of its sections see it. */
export interface Asking {
  readonly requestId: string
  readonly faults: Faults
  /** Milliseconds until the answer must be assembled: the total, less what is spent, less a reserve for assembling. */
  leftMs(): number
  /** Called once when the asker no longer waits: it left, or a required section failed. */
  onLeave(listener: () => void): void
  offLeave(listener: () => void): void
  leave(): void
}

export interface Budget {
  /** From the request's arrival to its answer. */
  totalMs: number
  /** Kept back from the sections for assembling and sending. */
  reserveMs: number
}

export function createAsking(
  of: { requestId: string; faults?: Faults; startedAt?: number },
  budget: Budget,
  now: () => number = Date.now,
): Asking {
  const endsAt = (of.startedAt ?? now()) + budget.totalMs - budget.reserveMs
  const listeners = new Set<() => void>()
  let left = false
  return {
    requestId: of.requestId,
    faults: of.faults ?? {},
    leftMs: () => endsAt - now(),
    onLeave(listener) {
      if (left) listener()
      else listeners.add(listener)
    },
    offLeave: (listener) => void listeners.delete(listener),
    leave() {
      left = true
      for (const listener of [...listeners]) listener()
      listeners.clear()
    },
  }
}
