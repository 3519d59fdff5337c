import { expect } from 'chai'
import { createMetrics } from '../../src/operations/metrics.ts'
import { createPrimaryMetrics } from '../../src/operations/primary-metrics.ts'

describe('the metrics of several workers', () => {
  function createWorker(worker: number) {
    const metrics = createMetrics({ merchants: ['acme'] })
    const count = metrics.counter('things_total', 'Things', 'kind')
    const durations = metrics.durations({ name: 'thing_seconds', help: 'Durations', labels: [], boundsMs: [100] })
    const state = { open: 0, waiting: 0 }
    metrics.gauge('open_things', 'Things of this process', () => state.open)
    metrics.gauges('waiting', 'Things in the store', [], () => [{ labels: {}, value: state.waiting }], {
      isShared: true,
    })
    return {
      count,
      state,
      record: durations().record,
      report: async () => ({ worker, metrics: await metrics.report() }),
    }
  }

  const counts = { starting: 0, ready: 2, draining: 1 }
  const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

  it('adds up counters and histograms, and tells the memory and the state of processes apart', async () => {
    const [one, two] = [createWorker(1), createWorker(2)]
    for (const worker of [one, two]) {
      worker.count('good')
      worker.record(50)
    }
    Object.assign(one.state, { open: 3, waiting: 7 })
    Object.assign(two.state, { open: 4, waiting: 8 })
    two.count('bad')
    const text = await createPrimaryMetrics(() => counts).text([await one.report(), await two.report()])
    expect(linesOf(text, 'things_total')).to.deep.equal(['things_total{kind="good"} 2', 'things_total{kind="bad"} 1'])
    expect(linesOf(text, 'thing_seconds_bucket{le="0.1"}')).to.deep.equal(['thing_seconds_bucket{le="0.1"} 2'])
    expect(linesOf(text, 'open_things')).to.deep.equal(['open_things{worker="1"} 3', 'open_things{worker="2"} 4'])
    expect(linesOf(text, 'waiting')).to.deep.equal(['waiting 8'])
    expect(linesOf(text, 'process_start_time_seconds')).to.have.length(2)
    expect(linesOf(text, 'forecourt_event_loop_busy_seconds_total{worker="2"}')).to.have.length(1)
    expect(linesOf(text, 'forecourt_workers')).to.deep.equal([
      'forecourt_workers{state="starting"} 0',
      'forecourt_workers{state="ready"} 2',
      'forecourt_workers{state="draining"} 1',
    ])
  })

  it('keeps the counts of a worker that has ended, so that no counter falls', async () => {
    const [ended, next] = [createWorker(1), createWorker(1)]
    ended.count('good')
    ended.state.open = 5
    next.count('good')
    next.state.open = 1
    const metrics = createPrimaryMetrics(() => counts)
    metrics.retire(await ended.report())
    metrics.countRestart()
    const text = await metrics.text([await next.report()])
    expect(linesOf(text, 'things_total')).to.deep.equal(['things_total{kind="good"} 2'])
    expect(linesOf(text, 'open_things')).to.deep.equal(['open_things{worker="1"} 1'])
    expect(linesOf(text, 'forecourt_worker_restarts_total')).to.deep.equal(['forecourt_worker_restarts_total 1'])
  })
})
