import { Piscina } from 'piscina'

/** A thread that runs tasks one after another, and starts with its first task. */
export interface TaskThread extends AsyncDisposable {
  run<T>(name: string, task: object): Promise<T>
  /** Ends the thread to free its memory, unless it has more tasks. The next task starts another one. */
  end(): Promise<void>
  readonly isStarted: boolean
}

/** Without a limit, V8 lets garbage grow to several times what is used: 100 MB more while a mirror of 200,000 products is filled. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1_024 }

/**
 * Creates a single thread for the tasks of a module. Its tasks keep databases open, so a second thread would hold everything twice. If the thread cannot start, for example without file descriptors, its tasks are rejected, and the next task starts another.
 */
export function createTaskThread(filename: string, workerData: object): TaskThread {
  let pool: Piscina | null = null
  let pending = 0

  function start(): Piscina {
    const started = new Piscina({
      filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: RESOURCE_LIMITS,
      recordTiming: false,
      // An idle thread waits for messages in its event loop. In Atomics.wait, a thread on a busy machine has missed its end, and whoever ended it waited forever.
      atomics: 'disabled',
      workerData,
    })
    started.on('error', () => {
      if (pool === started) pool = null
      started.destroy().catch(() => {})
    })
    return started
  }

  return {
    async run(name, task) {
      pool ??= start()
      pending += 1
      try {
        return await pool.run(task, { name })
      } finally {
        pending -= 1
      }
    },
    async end() {
      if (pending > 0) return
      const ended = pool
      pool = null
      await ended?.close()
    },
    get isStarted() {
      return pool !== null && pool.threads.length > 0
    },
    async [Symbol.asyncDispose]() {
      await pool?.destroy()
    },
  }
}
