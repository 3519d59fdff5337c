import type { StoreMonitor } from '../storage/store-monitor.ts'

/** The readiness of this process for load balancers. Dependencies do not count: all processes share them, so no process would be ready. */
export interface Readiness {
  readonly state: 'starting' | 'ready' | 'draining'
  /** All listeners are open. */
  markReady(): void
  /** The process is about to stop. Final. */
  markDraining(): void
}

/** The body of `/readyz`. A store outage is reported, but does not make the process unready. */
export const toReadinessReport = (state: Readiness['state'], store: Pick<StoreMonitor, 'outage'>) => ({
  status: state,
  store: store.outage === null ? 'ok' : 'down',
})

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
