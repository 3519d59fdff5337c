import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { killWhenHung } from '../../../src/runtime/workers/kill-when-hung.ts'
import { createFakeWorkers } from './fake-workers.ts'

describe('the watch for hung workers', () => {
  function watchOne() {
    const { workers, fork } = createFakeWorkers()
    fork(1, { configText: '', environment: {} })
    const worker = workers[0]!
    const checks: (() => void)[] = []
    const errors: unknown[] = []
    const logger = { error: (fields: object, message: string) => void errors.push({ ...fields, message }) }
    const wait = () => new Promise<void>((resolve) => checks.push(resolve))
    const ended = killWhenHung(worker, logger as never, wait)
    async function check(times: number) {
      for (let time = 0; time < times; time++) {
        checks.pop()!()
        await nextTurn()
      }
    }
    return { worker, checks, errors, ended, check }
  }

  it('kills a worker that was silent at six checks, and says so', async () => {
    const { worker, errors, ended, check } = watchOne()
    worker.becomeReady()
    await nextTurn()
    await check(5)
    expect(worker.commands).to.deep.equal([])
    await check(1)
    expect(worker.commands).to.deep.equal(['kill'])
    expect(errors).to.deep.equal([{ worker: 1, pid: 1, message: 'a worker hangs and is killed' }])
    await ended
  })

  it('begins to count anew at each heartbeat', async () => {
    const { worker, check } = watchOne()
    worker.becomeReady()
    await nextTurn()
    for (let round = 0; round < 3; round++) {
      await check(5)
      worker.beat()
      await check(1)
    }
    expect(worker.commands).to.deep.equal([])
  })

  it('does not watch a worker before it is ready, nor after it has ended', async () => {
    const { worker, checks, ended } = watchOne()
    await nextTurn()
    expect(checks).to.deep.equal([])
    worker.end('exit code 1')
    await ended
    expect(worker.commands).to.deep.equal([])
  })
})
