/** Work that runs once at a time in this process, shared by all who start it meanwhile. */
export interface SingleFlight<Args extends unknown[], T> {
  /** Starts the work, or joins the run under way; a run has the arguments of the call that started it. */
  run(...args: Args): Promise<T>
  /** The run under way. */
  readonly running: Promise<T> | undefined
}

export function createSingleFlight<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): SingleFlight<Args, T> {
  let running: Promise<T> | undefined
  return {
    run(...args) {
      running ??= work(...args).finally(() => {
        running = undefined
      })
      return running
    },
    get running() {
      return running
    },
  }
}
