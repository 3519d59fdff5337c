/** Whether this process is to be sent requests. What it leans on does not count: all processes share that, and none would be left. */
export interface Readiness {
  readonly state: 'starting' | 'ready' | 'draining'
  /** All is open. */
  markReady(): void
  /** It is about to stop: for good. */
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
