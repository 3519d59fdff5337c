/** Limits how many tasks run at once. Groups take turns, and each has a queue of its own, so that no group delays another. */
export interface FairLimit {
  /** Returns whether a group's queue is full. */
  isFull(group: string): boolean
  /** Runs a task when it is its turn. Call `isFull` first. */
  run<T>(group: string, task: () => Promise<T>): Promise<T>
}

export function createFairLimit({ concurrency, maxQueued }: { concurrency: number; maxQueued: number }): FairLimit {
  /** The queues that are not empty; the group whose turn is next comes first. */
  const queues = new Map<string, (() => void)[]>()
  let free = concurrency

  function waitForTurn(group: string): Promise<void> | undefined {
    if (free > 0) {
      free -= 1
      return undefined
    }
    const queue = queues.get(group) ?? []
    queues.set(group, queue)
    return new Promise((resolve) => queue.push(resolve))
  }

  function passTurn(): void {
    const [next] = queues
    if (!next) {
      free += 1
      return
    }
    const [group, queue] = next
    const start = queue.shift()!
    queues.delete(group)
    if (queue.length > 0) queues.set(group, queue)
    start()
  }

  return {
    isFull: (group) => free === 0 && (queues.get(group)?.length ?? 0) >= maxQueued,
    async run(group, task) {
      const turn = waitForTurn(group)
      if (turn) await turn
      try {
        return await task()
      } finally {
        passTurn()
      }
    },
  }
}
