import cluster, { type Worker } from 'node:cluster'
import type { WorkerReport } from '../../operations/metric-report.ts'
import type { ServerAddresses } from '../server-addresses.ts'
import { closeUnacceptedConnections } from './close-unaccepted-connections.ts'
import type { WorkerCommand, WorkerMessage } from './worker-messages.ts'

/** The values that a worker is started with. A worker that is started again gets the same ones, whatever has changed on the disk meanwhile. */
export interface WorkerSettings {
  configText: string
  environment: Readonly<Record<string, string | undefined>>
}

/** A worker, seen from the primary process. */
export interface ForkedWorker {
  readonly worker: number
  readonly pid: number | undefined
  /** Resolves when the worker accepts requests. Rejects with the reason when it cannot start. */
  readonly ready: Promise<ServerAddresses>
  /** Resolves with how the worker ended: "exit code 1" or "signal SIGKILL". */
  readonly ended: Promise<string>
  /** Lets the worker finish its requests and end. `isReplaced`: another worker accepts connections already. */
  drain(reason: string, isReplaced: boolean): void
  /** Tells the worker that the file of the log was moved. */
  reopenLog(): void
  kill(): void
  /** Returns whether the worker has sent anything since the last call. */
  takeSignOfLife(): boolean
  /** Asks for the worker's metrics. The report is then in `lastReport`. */
  requestReport(): Promise<void>
  readonly lastReport: WorkerReport | null
}

export interface ForkedWorkerParts {
  worker: number
  settings: WorkerSettings
  /** Returns the metrics of all workers. */
  collectMetrics(): Promise<string>
}

export type ForkWorker = (worker: number, settings: WorkerSettings) => ForkedWorker

/** Starts a worker: this program, with the same arguments. It shares the sockets on which all workers listen. */
export function forkWorker({ worker, settings, collectMetrics }: ForkedWorkerParts): ForkedWorker {
  const child = cluster.fork(settings.environment)
  closeUnacceptedConnections(child)
  const ready = Promise.withResolvers<ServerAddresses>()
  const ended = Promise.withResolvers<string>()
  // Its failure also ends it: whoever waits for neither must not end this process.
  ready.promise.catch(() => {})
  const requests = new Map<number, () => void>()
  let requestCount = 0
  let lastReport: WorkerReport | null = null
  let hasSent = false
  const send = (command: WorkerCommand) => sendTo(child, command)

  function receive(message: WorkerMessage): void {
    hasSent = true
    if (message.kind === 'hello') send({ kind: 'start', worker, configText: settings.configText })
    else if (message.kind === 'ready') ready.resolve(message.addresses)
    else if (message.kind === 'failed') ready.reject(new Error(message.message))
    else if (message.kind === 'metrics') {
      lastReport = { worker, metrics: message.metrics }
      if (message.request !== null) requests.get(message.request)?.()
    } else if (message.kind === 'collect_metrics') {
      const { request } = message
      void collectMetrics().then((text) => send({ kind: 'collected_metrics', request, text }))
    }
  }

  child.on('message', receive)
  child.on('error', (error) => ready.reject(error))
  child.once('exit', (code, signal) => {
    const how = signal ? `signal ${signal}` : `exit code ${code}`
    ready.reject(new Error(`worker ${worker} ended before it was ready (${how})`))
    for (const resolve of requests.values()) resolve()
    ended.resolve(how)
  })
  return {
    worker,
    pid: child.process.pid,
    ready: ready.promise,
    ended: ended.promise,
    drain: (reason, isReplaced) => send({ kind: 'drain', reason, isReplaced }),
    reopenLog: () => void send({ kind: 'reopen_log' }),
    kill: () => void child.process.kill('SIGKILL'),
    takeSignOfLife() {
      const sent = hasSent
      hasSent = false
      return sent
    },
    async requestReport() {
      const request = ++requestCount
      const { promise, resolve } = Promise.withResolvers<void>()
      requests.set(request, resolve)
      if (send({ kind: 'report_metrics', request })) await promise
      requests.delete(request)
    },
    get lastReport() {
      return lastReport
    },
  }
}

/** Returns false when the worker has ended. */
function sendTo(child: Worker, command: WorkerCommand): boolean {
  if (!child.isConnected()) return false
  child.send(command, () => {})
  return true
}
