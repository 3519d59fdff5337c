import cluster from 'node:cluster'
import type { MetricReport } from '../../operations/metric-report.ts'
import type { ServerAddresses } from '../server-addresses.ts'
import { HEARTBEAT_MS } from './kill-when-hung.ts'
import type { WorkerCommand, WorkerMessage } from './worker-messages.ts'

export interface DrainCommand {
  reason: string
  /** Another worker accepts connections already. */
  isReplaced: boolean
}

/** A worker's link to its primary process. The worker ends when the primary process is killed: node:cluster ends it when the link closes. */
export interface PrimaryLink {
  /** From 1; a worker that is started again has the number of the one before. */
  readonly worker: number
  readonly configText: string
  /** Resolves when the worker must end. */
  readonly drain: Promise<DrainCommand>
  /** Returns the metrics of all workers, as Prometheus text. */
  readMetrics(): Promise<string>
  /** From now on the primary process can ask for this worker's metrics. */
  reportMetrics(read: () => Promise<MetricReport>): void
  /** From now on, `reopen` is called when the file of the log was moved. */
  onLogMoved(reopen: () => void): void
  ready(addresses: ServerAddresses): void
  /** Reports why this worker cannot start. Resolves when that was sent. */
  fail(message: string): Promise<void>
  /** Sends the last metrics, and closes the link. */
  end(): Promise<void>
}

/** This process is a worker of a primary process. */
export const isWorker = (): boolean => cluster.isWorker

/** Asks the primary process what to serve. */
export async function connectToPrimary(): Promise<PrimaryLink> {
  const started = Promise.withResolvers<Extract<WorkerCommand, { kind: 'start' }>>()
  const drain = Promise.withResolvers<DrainCommand>()
  const requests = new Map<number, (text: string) => void>()
  let requestCount = 0
  let reopenLog = () => {}
  let readReport = async (): Promise<MetricReport> => []

  const send = (message: WorkerMessage) =>
    new Promise<void>((resolve) => (process.connected ? process.send!(message, () => resolve()) : resolve()))
  const report = async (request: number | null) => send({ kind: 'metrics', request, metrics: await readReport() })

  process.on('message', (command: WorkerCommand) => {
    if (command.kind === 'start') started.resolve(command)
    else if (command.kind === 'drain') drain.resolve(command)
    else if (command.kind === 'report_metrics') void report(command.request)
    else if (command.kind === 'reopen_log') reopenLog()
    else requests.get(command.request)?.(command.text)
  })
  void send({ kind: 'hello' })
  setInterval(() => void send({ kind: 'heartbeat' }), HEARTBEAT_MS).unref()
  const { worker, configText } = await started.promise
  return {
    worker,
    configText,
    drain: drain.promise,
    async readMetrics() {
      const request = ++requestCount
      const { promise, resolve } = Promise.withResolvers<string>()
      requests.set(request, resolve)
      await send({ kind: 'collect_metrics', request })
      const text = await promise
      requests.delete(request)
      return text
    },
    reportMetrics(read) {
      readReport = read
    },
    onLogMoved(reopen) {
      reopenLog = reopen
    },
    ready: (addresses) => void send({ kind: 'ready', addresses }),
    fail: (message) => send({ kind: 'failed', message }),
    async end() {
      await report(null)
      cluster.worker!.disconnect()
    },
  }
}
