import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked, Client } from './client.ts'

export interface OpenLoop {
  perSecond: number
  seconds: number
  path(count: number): string
  /** Told of each answer as it comes. */
  onAnswer?(asked: Asked): void
  /** Ends the load early. */
  until?: () => boolean
}

/** Requests at an even pace, whether the earlier ones have been answered or not; each is timed from when it was due. */
export async function openLoop(client: Client, load: OpenLoop): Promise<Asked[]> {
  const start = performance.now()
  const total = load.perSecond * load.seconds
  const answers: Promise<Asked>[] = []
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
