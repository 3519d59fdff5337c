import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import pino from 'pino'
import { createWorkerPool } from '../../../src/runtime/workers/worker-pool.ts'
import { addresses, createFakeWorkers } from './fake-workers.ts'

describe('the pool of workers', () => {
  const generation = (configText: string, count = 2) => ({ configText, environment: {}, count, drainTimeoutMs: 60_000 })

  function createPool(startTimeoutMs = 60_000) {
    const { workers, fork } = createFakeWorkers()
    const waits: { ms: number; end(): void }[] = []
    const clock = { now: 0 }
    let restarts = 0
    const pool = createWorkerPool({
      fork,
      logger: pino({ level: 'silent' }),
      onRestart: () => void restarts++,
      onEnded() {},
      startTimeoutMs,
      now: () => clock.now,
      wait(ms) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waits.push({ ms, end: resolve })
        return promise
      },
    })
    const numbers = () => workers.map(({ worker, configText }) => `${worker} ${configText}`)
    return { pool, workers, waits, clock, numbers, restarts: () => restarts }
  }

  async function startPool(startTimeoutMs?: number) {
    const started = createPool(startTimeoutMs)
    const ready = started.pool.replaceAll(generation('first'))
    for (const worker of started.workers) worker.becomeReady()
    expect(await ready).to.deep.equal(addresses)
    return started
  }

  it('has started when all workers are ready', async () => {
    const { pool, workers } = createPool()
    const ready = pool.replaceAll(generation('first'))
    expect(pool.counts()).to.deep.equal({ starting: 2, ready: 0, draining: 0 })
    for (const worker of workers) worker.becomeReady()
    await ready
    expect(pool.counts()).to.deep.equal({ starting: 0, ready: 2, draining: 0 })
  })

  it('starts nothing when one worker cannot start', async () => {
    const { pool, workers } = createPool()
    const ready = pool.replaceAll(generation('first'))
    workers[1]!.fail('Port 8080 is in use')
    const error = await ready.catch((reason: Error) => reason)
    expect((error as Error).message).to.equal('Port 8080 is in use')
    expect(workers.map(({ commands }) => commands)).to.deep.equal([['kill'], ['kill']])
    expect(pool.list()).to.deep.equal([])
  })

  it('lets a new worker that is ready finish its requests when another one cannot start', async () => {
    const { pool, workers } = await startPool()
    const replaced = pool.replaceAll(generation('second'))
    workers[2]!.becomeReady()
    await nextTurn()
    workers[3]!.fail('out of memory')
    expect(await replaced.catch((reason: Error) => reason.message)).to.equal('out of memory')
    const drained = ['drain not all new workers could start (replaced)']
    expect(workers.map(({ commands }) => commands)).to.deep.equal([[], [], drained, ['kill']])
    expect(pool.counts()).to.deep.equal({ starting: 0, ready: 2, draining: 1 })
  })

  it('lets a new worker that is ready finish its requests when the server is stopped meanwhile', async () => {
    const { pool, workers } = await startPool()
    const replaced = pool.replaceAll(generation('second'))
    workers[2]!.becomeReady()
    await nextTurn()
    const drained = pool.drain('SIGTERM')
    expect(await replaced.catch((reason: Error) => reason.message)).to.equal('worker 2 ended')
    const command = ['drain SIGTERM']
    expect(workers.map(({ commands }) => commands)).to.deep.equal([command, command, command, ['kill']])
    for (const worker of workers) worker.end('exit code 0')
    await drained
    expect(pool.list()).to.deep.equal([])
  })

  it('starts no new workers while it is being stopped', async () => {
    const { pool, workers } = await startPool()
    void pool.drain('SIGTERM')
    const replaced = pool.replaceAll(generation('second'))
    expect(await replaced.catch((reason: Error) => reason.message)).to.equal('the server is shutting down')
    expect(workers).to.have.length(2)
  })

  it('kills a worker that was started again and is not ready in time, and starts another one', async () => {
    const { workers, waits } = await startPool(0)
    workers[1]!.end('exit code 1')
    await nextTurn()
    waits[0]!.end()
    await nextTurn()
    expect(workers).to.have.length(3)
    await workers[2]!.ended
    await nextTurn()
    expect(workers[2]!.commands).to.deep.equal(['kill'])
    expect(waits).to.have.length(2)
  })

  it('starts a worker again: at once, then later each time, until one has lived for ten seconds', async () => {
    const { workers, waits, clock, numbers, restarts } = await startPool()
    for (const lifetimeMs of [0, 0, 0, 10_000]) {
      clock.now += lifetimeMs
      workers.at(-1)!.end('exit code 1')
      await nextTurn()
      waits.at(-1)!.end()
      await nextTurn()
      workers.at(-1)!.becomeReady()
      await nextTurn()
    }
    expect(waits.map(({ ms }) => ms)).to.deep.equal([0, 1_000, 2_000, 0])
    expect(numbers().slice(2)).to.deep.equal(Array.from({ length: 4 }, () => '2 first'))
    expect(restarts()).to.equal(4)
  })

  it('drains the earlier workers once all new ones are ready', async () => {
    const { pool, workers } = await startPool()
    const replaced = pool.replaceAll(generation('second', 3))
    expect(workers).to.have.length(5)
    for (const worker of workers.slice(2)) {
      expect(workers[0]!.commands).to.deep.equal([])
      worker.becomeReady()
      await nextTurn()
    }
    await replaced
    const drained = ['drain replaced by another worker (replaced)']
    expect(workers.map(({ commands }) => commands)).to.deep.equal([drained, drained, [], [], []])
    expect(pool.counts()).to.deep.equal({ starting: 0, ready: 3, draining: 2 })
    workers[0]!.end('exit code 0')
    await nextTurn()
    expect(pool.counts()).to.deep.equal({ starting: 0, ready: 3, draining: 1 })
    expect(workers).to.have.length(5)
  })

  it('keeps the earlier workers when a new one cannot start, and starts those again with what they had', async () => {
    const { pool, workers, waits, numbers } = await startPool()
    const replaced = pool.replaceAll(generation('second'))
    workers[2]!.fail('webhooks.key is wrong')
    expect(await replaced.catch((reason: Error) => reason.message)).to.equal('webhooks.key is wrong')
    expect(pool.counts()).to.deep.equal({ starting: 0, ready: 2, draining: 0 })
    workers[0]!.end('signal SIGKILL')
    await nextTurn()
    waits[0]!.end()
    await nextTurn()
    expect(numbers().at(-1)).to.equal('1 first')
  })

  it('starts a new worker again that has ended before the others were ready', async () => {
    const { pool, workers, waits } = await startPool()
    const replaced = pool.replaceAll(generation('second'))
    workers[2]!.becomeReady()
    await nextTurn()
    workers[2]!.end('exit code 1')
    await nextTurn()
    workers[3]!.becomeReady()
    await replaced
    await nextTurn()
    expect(waits).to.have.length(1)
  })

  it('starts no worker again while it drains', async () => {
    const { pool, workers, waits } = await startPool()
    workers[1]!.end('exit code 1')
    await nextTurn()
    const drained = pool.drain('SIGTERM')
    waits[0]!.end()
    await nextTurn()
    expect(workers).to.have.length(2)
    expect(workers[0]!.commands).to.deep.equal(['drain SIGTERM'])
    workers[0]!.end('exit code 0')
    await drained
  })

  it('kills a worker that does not end in time', async () => {
    const { pool, workers } = createPool()
    const ready = pool.replaceAll({ ...generation('first', 1), drainTimeoutMs: 0 })
    workers[0]!.becomeReady()
    await ready
    await pool.drain('SIGTERM')
    expect(workers[0]!.commands).to.deep.equal(['drain SIGTERM', 'kill'])
  })
})
