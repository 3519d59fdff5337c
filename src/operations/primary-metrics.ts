import { Counter, Gauge, Registry } from 'prom-client'
import {
  formatReport,
  keepCounters,
  labelWorker,
  type MetricReport,
  mergeReports,
  type WorkerReport,
} from './metric-report.ts'

export interface WorkerCounts {
  starting: number
  ready: number
  draining: number
}

/** The metrics of all workers together, and those of the primary process. */
export interface PrimaryMetrics {
  countRestart(): void
  /** Adds the counters of a worker that has ended to what it reports from now on. */
  retire(report: WorkerReport): void
  /** Returns Prometheus text. `reports`: the older workers first. */
  text(reports: readonly WorkerReport[]): Promise<string>
}

export function createPrimaryMetrics(countWorkers: () => WorkerCounts): PrimaryMetrics {
  const registry = new Registry()
  const restarts = new Counter({
    name: 'forecourt_worker_restarts_total',
    help: 'Workers that ended unexpectedly and were started again',
    registers: [registry],
  })
  new Gauge({
    name: 'forecourt_workers',
    help: 'Worker processes, by state: starting, ready or draining',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(countWorkers())) this.set({ state }, count)
    },
  })
  let retired: MetricReport = []
  return {
    countRestart: () => restarts.inc(),
    retire(report) {
      retired = mergeReports([retired, keepCounters(labelWorker(report))])
    },
    async text(reports) {
      const own = await registry.getMetricsAsJSON()
      return formatReport(mergeReports([retired, own, ...reports.map(labelWorker)]))
    },
  }
}
