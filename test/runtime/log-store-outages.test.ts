import { expect } from 'chai'
import { logStoreOutages } from '../../src/runtime/log-store-outages.ts'
import type { OutageListeners, StoreMonitor } from '../../src/storage/store-monitor.ts'

describe('the watch of the store', () => {
  it('reports the reason of an outage, and its end', () => {
    let listeners: OutageListeners = {}
    const store = {
      watch: (_: unknown, given: OutageListeners) => {
        listeners = given
      },
    }
    const logger = { error: () => {}, info: () => {} }
    const reports: (string | null)[] = []
    logStoreOutages({
      db: {} as never,
      store: store as unknown as StoreMonitor,
      logger: logger as never,
      now: () => 0,
      onChange: (reason) => reports.push(reason),
    })
    const outage = { beganAt: 0, reason: 'the disk is full', isUnreachable: false }
    listeners.onBegin?.(outage, new Error('full'))
    listeners.onEnd?.(outage)
    expect(reports).to.deep.equal(['the disk is full', null])
  })
})
