import type { MetricReport } from '../../operations/metric-report.ts'
import type { ServerAddresses } from '../server-addresses.ts'

/** A message from the primary process to a worker. */
export type WorkerCommand =
  /** Answers `hello`. `configText`: the configuration of all workers, whatever the file contains by now. */
  | { kind: 'start'; worker: number; configText: string }
  /** `isReplaced`: another worker accepts connections already. */
  | { kind: 'drain'; reason: string; isReplaced: boolean }
  | { kind: 'report_metrics'; request: number }
  /** The file of the log was moved. */
  | { kind: 'reopen_log' }
  /** Answers `collect_metrics`. */
  | { kind: 'collected_metrics'; request: number; text: string }

/** A message from a worker to the primary process. */
export type WorkerMessage =
  | { kind: 'hello' }
  /** The worker's event loop runs. */
  | { kind: 'heartbeat' }
  | { kind: 'ready'; addresses: ServerAddresses }
  /** The worker could not start, and ends. */
  | { kind: 'failed'; message: string }
  /** `request: null`: the last report of a worker that ends. */
  | { kind: 'metrics'; request: number | null; metrics: MetricReport }
  /** Asks for the metrics of all workers. */
  | { kind: 'collect_metrics'; request: number }
