import type { DeliveryResult } from './delivery-result.ts'
import { type EndpointUpdates, type RecordDeliveryParts, recordDeliveryResults } from './record-delivery-results.ts'

export interface DeliveryRecorderParts extends RecordDeliveryParts {
  /** Must not throw. */
  onRecorded(recorded: EndpointUpdates): void
  onError(error: unknown): void
}

export interface DeliveryRecorder {
  /** To be written with what ends about the same time. `until`: milliseconds since the epoch; after that it is another's to write. */
  record(seen: DeliveryResult, until: number): void
  /** Resolves when all that was given is written, or let go. */
  settled(): Promise<void>
  readonly unwritten: number
  /** Lets what is not written go: it is made again when its lease is over. */
  close(): void
}

const GATHERED_MS = 10
const AGAIN_MS = 250
const MOST_AT_ONCE = 250

/** Writes outcomes together. What the store does not take now is kept while the lease lasts; after that, the delivery is made again. */
export function createDeliveryRecorder(parts: DeliveryRecorderParts): DeliveryRecorder {
  let gathered: { seen: DeliveryResult; until: number }[] = []
  let writing: Promise<void> | undefined
  let writingNow = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const settling: (() => void)[] = []

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
    }, ms)
  }

  async function writeAll(): Promise<void> {
    while (gathered.length > 0) {
      const some = gathered.splice(0, MOST_AT_ONCE)
      writingNow = some.length
      const written = await write(some)
      writingNow = 0
      if (!written) return
    }
    for (const resolve of settling.splice(0)) resolve()
  }

  async function write(some: typeof gathered): Promise<boolean> {
    try {
      const recorded = await recordDeliveryResults(
        some.map(({ seen }) => seen),
        parts,
      )
      writingNow = 0
      parts.onRecorded(recorded)
      return true
    } catch (error) {
      gathered = closed ? [] : [...some, ...gathered].filter(({ until }) => until > parts.now())
      if (!closed) later(AGAIN_MS)
      parts.onError(error)
      return closed
    }
  }

  return {
    record(seen, until) {
      if (closed) return
      gathered.push({ seen, until })
      if (!writing) later(GATHERED_MS)
    },
    settled() {
      if (gathered.length === 0 && !writing && !timer) return Promise.resolve()
      return new Promise((resolve) => settling.push(resolve))
    },
    close() {
      closed = true
      gathered = []
      clearTimeout(timer)
      for (const resolve of settling.splice(0)) resolve()
    },
    get unwritten() {
      return gathered.length + writingNow
    },
  }
}
