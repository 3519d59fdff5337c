/** Tells load balancers whether to send requests to this process. Dependencies do not count: all processes share them, and none would be left. */
export interface Readiness {
  readonly state: 'starting' | 'ready' | 'draining'
  /** All listeners are open. */
  markReady(): void
  /** The process is about to stop. Final. */
  markDraining(): void
}

export function createReadiness(): Readiness {
  let state: Readiness['state'] = 'starting'
  return {
    get state() {
      return state
    },
    markReady() {
      if (state === 'starting') state = 'ready'
    },
    markDraining() {
      state = 'draining'
    },
  }
}
