import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { PrimaryMetrics } from '../../operations/primary-metrics.ts'
import type { ForkedWorker } from './forked-worker.ts'

/** A busy worker is not waited for: its last report counts again. */
const REPORT_TIMEOUT_MS = 1_000

/** Returns the metrics of all workers as Prometheus text. */
export async function collectMetrics(workers: readonly ForkedWorker[], metrics: PrimaryMetrics): Promise<string> {
  await Promise.all(workers.map((worker) => waitUpTo(REPORT_TIMEOUT_MS, worker.requestReport())))
  return metrics.text(workers.flatMap(({ lastReport }) => lastReport ?? []))
}
