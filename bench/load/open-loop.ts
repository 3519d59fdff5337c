import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadClient, TimedResponse } from './client.ts'

export interface OpenLoopOptions {
  perSecond: number
  seconds: number
  path(count: number): string
  /** Told of each answer as it comes. */
  onAnswer?(asked: TimedResponse): void
  /** Ends the load early. */
  until?: () => boolean
}

/** Requests at an even pace, whether the earlier ones have been answered or not; each is timed from when it was due. */
export async function runOpenLoop(client: LoadClient, load: OpenLoopOptions): Promise<TimedResponse[]> {
  const start = performance.now()
  const total = load.perSecond * load.seconds
  const answers: Promise<TimedResponse>[] = []
  while (answers.length < total && !load.until?.()) {
    const due = ((performance.now() - start) * load.perSecond) / 1_000
    while (answers.length <= due && answers.length < total) {
      const count = answers.length
      const asked = client.get(load.path(count), start + (count * 1_000) / load.perSecond)
      if (load.onAnswer) asked.then(load.onAnswer)
      answers.push(asked)
    }
    await sleep(1)
  }
  return Promise.all(answers)
}
