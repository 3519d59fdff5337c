import { setTimeout as pause } from 'node:timers/promises'
import type { LoadClient, TimedResponse } from './load-client.ts'

export interface OpenLoopOptions {
  perSecond: number
  seconds: number
  path(count: number): string
  onResponse?(response: TimedResponse): void
  /** Ends the load early. */
  shouldStop?: () => boolean
}

/** Sends requests at an even rate, without waiting for earlier responses; each is timed from when it was due. */
export async function runOpenLoop(client: LoadClient, options: OpenLoopOptions): Promise<TimedResponse[]> {
  const start = performance.now()
  const total = options.perSecond * options.seconds
  const responses: Promise<TimedResponse>[] = []
  while (responses.length < total && !options.shouldStop?.()) {
    const due = ((performance.now() - start) * options.perSecond) / 1_000
    while (responses.length <= due && responses.length < total) {
      const count = responses.length
      const response = client.get(options.path(count), start + (count * 1_000) / options.perSecond)
      if (options.onResponse) response.then(options.onResponse)
      responses.push(response)
    }
    await pause(1)
  }
  return Promise.all(responses)
}
