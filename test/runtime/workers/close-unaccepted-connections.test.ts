import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { closeUnacceptedConnections } from '../../../src/runtime/workers/close-unaccepted-connections.ts'

describe('closeUnacceptedConnections', () => {
  const workers: Worker[] = []

  before(() => cluster.setupPrimary({ exec: join(import.meta.dirname, 'listening-worker.ts'), args: [], execArgv: [] }))
  afterEach(() => {
    for (const worker of workers.splice(0)) worker.process.kill('SIGKILL')
  })

  async function fork(name: string): Promise<{ worker: Worker; port: number }> {
    const worker = cluster.fork({ NAME: name })
    workers.push(worker)
    closeUnacceptedConnections(worker)
    const [{ port }] = (await once(worker, 'listening')) as [AddressInfo]
    return { worker, port }
  }

  /** Resolves when node:cluster has sent a worker a connection. */
  function whenSent({ process: child }: Worker): Promise<void> {
    const send = child.send
    return new Promise((resolve) => {
      child.send = (...parameters: unknown[]): boolean => {
        if ((parameters[0] as { act?: string }).act === 'newconn') resolve()
        return Reflect.apply(send, child, parameters)
      }
    })
  }

  function whenDeclined({ process: child }: Worker): Promise<void> {
    return new Promise((resolve) => {
      child.on('internalMessage', ({ accepted }: { accepted?: boolean }) => {
        if (accepted === false) resolve()
      })
    })
  }

  const signal = (name: NodeJS.Signals, ...all: Worker[]) => {
    for (const worker of all) worker.process.kill(name)
  }

  it('keeps a connection that a worker has declined until another worker is free', async () => {
    const { worker: ending, port } = await fork('ending')
    const { worker: busy } = await fork('busy')
    signal('SIGSTOP', ending, busy)
    ending.send('stop listening')
    const sent = Promise.all([ending, busy].map(whenSent))
    const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    await sent
    const declined = whenDeclined(ending)
    signal('SIGCONT', ending)
    await declined
    signal('SIGKILL', ending)
    await once(ending.process, 'exit')
    signal('SIGCONT', busy)
    assert.deepEqual(await Promise.all(clients.map((client) => text(client))), ['busy', 'busy'])
  })

  it('closes a connection that a killed worker has not accepted', async () => {
    const { worker, port } = await fork('killed')
    await fork('other')
    signal('SIGSTOP', worker)
    const sent = whenSent(worker)
    const client: Socket = connect(port, '127.0.0.1')
    await sent
    signal('SIGKILL', worker)
    await once(client, 'close').catch((error: NodeJS.ErrnoException) => assert.equal(error.code, 'ECONNRESET'))
  })
})
