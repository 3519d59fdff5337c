import { createSingleFlight } from '../lifecycle/single-flight.ts'
import type { DeliveryResult } from './delivery-result.ts'
import { type EndpointUpdates, type RecordDeliveryParts, recordDeliveryResults } from './record-delivery-results.ts'

export interface DeliveryRecorderParts extends RecordDeliveryParts {
  /** Must not throw. */
  onRecorded(recorded: EndpointUpdates): void
  onError(error: unknown): void
}

export interface DeliveryRecorder {
  /** Queues a result to be written with others. `leasedUntil`: milliseconds since the epoch; then another process may retry the delivery. */
  record(result: DeliveryResult, leasedUntil: number): void
  /** Resolves when all results are written or dropped. */
  flush(): Promise<void>
  readonly unwrittenCount: number
  /** Drops unwritten results. Their deliveries are attempted again when their leases have expired. */
  close(): void
}

const BATCH_WINDOW_MS = 10
const RETRY_DELAY_MS = 250
const MAX_BATCH = 250

/** Writes results in batches. A failed write is retried while the lease lasts; then the result is dropped and the delivery is attempted again. */
export function createDeliveryRecorder(parts: DeliveryRecorderParts): DeliveryRecorder {
  let pending: { result: DeliveryResult; leasedUntil: number }[] = []
  const writing = createSingleFlight(writeAll)
  let writingCount = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const flushWaiters: (() => void)[] = []

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void writing.run()
    }, ms)
  }

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending.splice(0, MAX_BATCH)
      writingCount = batch.length
      const isWritten = await write(batch)
      writingCount = 0
      if (!isWritten) return
    }
    for (const resolve of flushWaiters.splice(0)) resolve()
  }

  async function write(batch: typeof pending): Promise<boolean> {
    try {
      const recorded = await recordDeliveryResults(
        batch.map(({ result }) => result),
        parts,
      )
      writingCount = 0
      parts.onRecorded(recorded)
      return true
    } catch (error) {
      pending = isClosed ? [] : [...batch, ...pending].filter(({ leasedUntil }) => leasedUntil > parts.now())
      if (!isClosed) schedule(RETRY_DELAY_MS)
      parts.onError(error)
      return isClosed
    }
  }

  return {
    record(result, leasedUntil) {
      if (isClosed) return
      pending.push({ result, leasedUntil })
      if (!writing.running) schedule(BATCH_WINDOW_MS)
    },
    flush() {
      if (pending.length === 0 && !writing.running && !timer) return Promise.resolve()
      return new Promise((resolve) => flushWaiters.push(resolve))
    },
    close() {
      isClosed = true
      pending = []
      clearTimeout(timer)
      for (const resolve of flushWaiters.splice(0)) resolve()
    },
    get unwrittenCount() {
      return pending.length + writingCount
    },
  }
}
