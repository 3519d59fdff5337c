import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { lockProcess, takeEndedProcesses } from '../../src/files/process-locks.ts'

const MODULE = new URL('../../src/files/process-locks.ts', import.meta.url).href

describe('the processes of a folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forecourt-processes-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  async function take(): Promise<string[]> {
    const taken: string[] = []
    await takeEndedProcesses(folder, async (ids) => void taken.push(...ids))
    return taken
  }

  /** Starts a process that has a lock in the folder. */
  async function startProcess() {
    const script = `import { lockProcess } from ${JSON.stringify(MODULE)}
      const locked = lockProcess(${JSON.stringify(folder)})
      process.stdout.write(locked.id)
      // Without a reference to it, the lock would end with the next collection of garbage.
      setInterval(() => locked, 1_000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [id] = await once(child.stdout, 'data')
    return {
      id: String(id),
      async kill() {
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  }

  it('are taken over once they were killed, each once, and not while they run', async () => {
    using own = lockProcess(folder)
    const [one, other] = [await startProcess(), await startProcess()]
    expect(await take()).to.deep.equal([])
    await one.kill()
    expect(await take()).to.deep.equal([one.id])
    expect(await take()).to.deep.equal([])
    await other.kill()
    expect(await take()).to.deep.equal([other.id])
    expect(readdirSync(folder)).to.deep.equal([`${own.id}.lock`])
  })

  it('are not taken over when they have ended in order', async () => {
    lockProcess(folder)[Symbol.dispose]()
    expect([await take(), readdirSync(folder)]).to.deep.equal([[], []])
  })

  it('are taken over later if that fails', async () => {
    const killed = await startProcess()
    await killed.kill()
    const failure = new Error('the store is down')
    const attempt = takeEndedProcesses(folder, () => Promise.reject(failure))
    expect(await attempt.catch((error: unknown) => error)).to.equal(failure)
    expect(await take()).to.deep.equal([killed.id])
  })
})
