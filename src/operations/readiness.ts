/** Whether this process is to be sent requests. What it leans on does not count: all processes share that, and none would be left. */
export interface Readiness {
  readonly state: 'starting' | 'ready' | 'draining'
  /** All is open. */
  started(): void
  /** It is about to stop: for good. */
  draining(): void
}

export function createReadiness(): Readiness {
  let state: Readiness['state'] = 'starting'
  return {
    get state() {
      return state
    },
    started() {
      if (state === 'starting') state = 'ready'
    },
    draining() {
      state = 'draining'
    },
  }
}
