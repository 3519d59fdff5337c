/** The facts that a server needs when it is one of several workers. */
export interface WorkerContext {
  /** From 1. */
  worker: number
  /** Returns the metrics of all workers, as Prometheus text. */
  readMetrics(): Promise<string>
}
