import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { freeSandboxPort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const project = resolve(import.meta.dirname, '../..')

/** The commands that start a demo of their own: npm, perhaps a shell, the launcher, the server and three embedded systems. */
const commands = {
  'npm start': ['npm', 'start', '--'],
  npx: ['npx', 'forecourt', 'demo'],
  'the launcher': [process.execPath, join(project, 'src/bin/forecourt.js'), 'demo'],
} as const
const signals: Record<keyof typeof commands, readonly NodeJS.Signals[]> = {
  'npm start': ['SIGINT', 'SIGKILL'],
  // The shell between npx and the launcher ignores a SIGINT that it does not get from a terminal.
  npx: ['SIGTERM', 'SIGKILL'],
  'the launcher': ['SIGINT', 'SIGTERM', 'SIGKILL'],
}

describe('the processes of a demo', () => {
  let data: string
  let pids: number[] = []

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'forecourt-tree-'))
  })
  afterEach(async () => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
    await rm(data, { recursive: true, force: true, maxRetries: 10 })
  })

  for (const [name, command] of Object.entries(commands))
    for (const signal of signals[name as keyof typeof commands])
      it(`all end when ${name} gets ${signal}`, async () => {
        const { child, output, ready } = await startDemo(command, data)
        await ready
        pids = listDescendants(child.pid!)
        expect(pids.length, 'launcher, server and three systems').to.be.at.least(name === 'the launcher' ? 4 : 5)
        child.kill(signal)
        await until('every process has ended', () => !pids.some(isRunning))
        // A server without its launcher ends at once; the others finish requests in progress.
        if (signal !== 'SIGKILL' || name !== 'the launcher') expect(output()).to.include('Finishing')
      })
})

describe('the log of a server', () => {
  const launcher = join(project, 'src/bin/forecourt.js')
  /** Starts the rest of its arguments in the background, and ends with its input. */
  const script = ['sh', '-c', '"$0" "$@" & read line', process.execPath, launcher, 'demo']
  let data: string

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'forecourt-log-'))
  })
  afterEach(() => rm(data, { recursive: true, force: true, maxRetries: 10 }))

  async function readReason(command: readonly string[], env: object, end: (child: ChildProcess) => void) {
    const { child, ready } = await startDemo(command, data, env)
    await ready
    const pids = listDescendants(child.pid!)
    end(child)
    await until('every process has ended', () => !pids.some(isRunning))
    const lines = readFileSync(join(data, 'forecourt.log'), 'utf8').trim().split('\n')
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'draining')
    return { level: line.level, reason: line.reason }
  }

  it('says which signal ended it', async () => {
    const command = [process.execPath, launcher, 'demo']
    expect(await readReason(command, {}, (child) => child.kill('SIGINT'))).to.deep.equal({
      level: 30,
      reason: 'SIGINT',
    })
  })

  it('says that the script ended which had started it in the background', async () => {
    const env = { npm_lifecycle_event: 'serve' }
    expect(await readReason(script, env, (child) => child.stdin!.end())).to.deep.equal({
      level: 30,
      reason: 'the npm script that started the server has ended',
    })
  })
})

async function startDemo([file, ...args]: readonly string[], data: string, env: object = {}) {
  const { PATH, HOME } = process.env
  const child = spawn(file!, [...args, '--sandbox-port', String(await freeSandboxPort())], {
    cwd: project,
    env: { PATH, HOME, FORECOURT_DATA: data, PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  const ready = new Promise<void>((resolveReady, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ctrl-C stops')) resolveReady()
    })
    child.stdout.once('close', () => reject(new Error(`The demo ended before it was ready: ${output}`)))
  })
  return { child, output: () => output, ready }
}

function listDescendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...listDescendants(child)])
}

/** A process that nobody has waited for yet has ended all the same. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
