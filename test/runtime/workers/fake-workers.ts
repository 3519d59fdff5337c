import type { ForkedWorker, ForkWorker } from '../../../src/runtime/workers/forked-worker.ts'

export interface FakeWorker extends ForkedWorker {
  readonly configText: string
  becomeReady(): void
  fail(message: string): void
  end(how: string): void
  /** Sends a heartbeat. */
  beat(): void
  /** What the pool has asked of it, in order. */
  readonly commands: string[]
}

export const addresses = { address: 'http://127.0.0.1:8080', metricsAddress: null, operationsAddress: null }

/** Workers that do what a test says, instead of processes. */
export function createFakeWorkers() {
  const workers: FakeWorker[] = []
  const fork: ForkWorker = (worker, { configText }) => {
    const ready = Promise.withResolvers<typeof addresses>()
    const ended = Promise.withResolvers<string>()
    ready.promise.catch(() => {})
    const commands: string[] = []
    let hasBeaten = false
    const end = (how: string) => {
      ready.reject(new Error(`worker ${worker} ended`))
      ended.resolve(how)
    }
    const fake: FakeWorker = {
      worker,
      pid: workers.length + 1,
      configText,
      ready: ready.promise,
      ended: ended.promise,
      lastReport: null,
      commands,
      drain: (reason, isReplaced) => void commands.push(`drain ${reason}${isReplaced ? ' (replaced)' : ''}`),
      kill() {
        commands.push('kill')
        end('signal SIGKILL')
      },
      takeSignOfLife() {
        const beaten = hasBeaten
        hasBeaten = false
        return beaten
      },
      beat() {
        hasBeaten = true
      },
      reopenLog: () => void commands.push('reopen log'),
      requestReport: async () => {},
      becomeReady: () => ready.resolve(addresses),
      fail: (message) => ready.reject(new Error(message)),
      end,
    }
    workers.push(fake)
    return fake
  }
  return { workers, fork }
}
