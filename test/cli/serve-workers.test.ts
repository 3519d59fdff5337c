import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { version } from '../../src/operations/version.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/command.ts'
import { until } from '../support/until.ts'

describe('forecourt serve with workers', () => {
  let folder: string
  let server: RunningCommand
  let address: string
  let metrics: string

  const configOf = (name: string, more = '') => `
listen: { port: 0 }
operations: { enabled: false }
metrics: { port: 0 }
workers: 2
embedded_sandbox: false
log: { file: forecourt.log }
merchants: { acme: { name: ${name}, currency: JMD, time_zone: America/Jamaica } }
${more}`
  const writeConfig = (text: string) => writeFileSync(join(folder, 'forecourt.yaml'), text)
  const logLines = () =>
    readFileSync(join(folder, 'forecourt.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; worker?: number; pid?: number; reason?: string })
  const readMetrics = async () => (await fetch(`${metrics}/metrics`)).text()
  /** Each on a connection of its own, so that the workers take turns. */
  const requestHealth = (agent = new Agent()) =>
    new Promise<number>((resolve, reject) => {
      get(`${address}/health`, { agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!))
      }).on('error', reject)
    })
  const reload = () => runCommand(['reload', '--config', 'forecourt.yaml'], { cwd: folder })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'workers-'))
    writeConfig(configOf('Acme'))
    server = startCommand(['serve', '--config', 'forecourt.yaml'], { cwd: folder })
    address = (await server.waitForOutput(/ready at (\S+) for acme, workers: 2/))[1]!
    metrics = (await server.waitForOutput(/Metrics at (\S+)/))[1]!
  })
  after(async () => {
    server.child.kill('SIGKILL')
    await server.ended
    rmSync(folder, { recursive: true })
  })

  it('shares the listeners, and reports the metrics of all workers together', async () => {
    for (let request = 0; request < 4; request++) expect(await requestHealth()).to.equal(200)
    const text = await readMetrics()
    expect(text).to.match(/^forecourt_requests_total\{route="health",status="200",cache="none"\} 4$/m)
    expect(text).to.match(/^forecourt_workers\{state="ready"\} 2$/m)
    for (const worker of [1, 2]) expect(text).to.include(`process_resident_memory_bytes{worker="${worker}"}`)
  })

  it('starts a worker again that is killed', async () => {
    const pids = /^process_resident/m.test(await readMetrics()) ? workerPids(server.child.pid!) : []
    process.kill(pids[0]!, 'SIGKILL')
    await until('the worker was started again', () =>
      logLines().some(({ msg }) => msg === 'a worker was started again'),
    )
    expect(await requestHealth()).to.equal(200)
    expect(await readMetrics()).to.match(/^forecourt_worker_restarts_total 1$/m)
  })

  it('closes a connection that a worker has not accepted when it is killed', async () => {
    const restarts = () => logLines().filter(({ msg }) => msg === 'a worker was started again').length
    const [restartsBefore, socketsBefore] = [restarts(), countSockets(server.child.pid!)]
    const [killed, other] = workerPids(server.child.pid!) as [number, number]
    for (const pid of [killed, other]) process.kill(pid, 'SIGSTOP')
    const { hostname, port } = new URL(address)
    const clients = [1, 2].map(() => connect(Number(port), hostname))
    const closed = clients.map((client) => new Promise((resolve) => client.on('error', () => {}).on('close', resolve)))
    await until('each worker is sent a connection', () => countSockets(server.child.pid!) === socketsBefore + 2)
    process.kill(killed, 'SIGKILL')
    await Promise.race(closed)
    process.kill(other, 'SIGCONT')
    await until('the worker was started again', () => restarts() > restartsBefore)
    for (const client of clients) client.destroy()
    expect(await requestHealth()).to.equal(200)
  })

  it('goes on when the new configuration is invalid, and says what is wrong with it', async () => {
    const pids = workerPids(server.child.pid!)
    writeConfig(configOf('Acme', 'nonsense: 1'))
    const { code, err } = await reload()
    expect(code).to.equal(2)
    expect(err).to.match(/^The server keeps its earlier configuration\.\n.*forecourt\.yaml has 1 mistake:\n.*nonsense/)
    // A worker may log something after it.
    expect(logLines().findLast(({ reason }) => reason)?.reason).to.include('nonsense: is not a setting')
    expect(workerPids(server.child.pid!)).to.deep.equal(pids)
  })

  it('goes on when the new configuration has another port, which needs a restart', async () => {
    const pids = workerPids(server.child.pid!)
    writeConfig(configOf('Acme').replace('listen: { port: 0 }', 'listen: { port: 1 }'))
    const data = join(folder, 'data')
    expect(await reload()).to.deep.include({
      code: 2,
      err: `No server with workers listens at ${join(data, 'control-1.sock')}. One listens at ${join(data, 'control-0.sock')}: if listen.port has changed, restart that server\n`,
    })
    const refusals = () => logLines().filter(({ reason }) => reason === 'A change of listen.port needs a restart.')
    server.child.kill('SIGHUP')
    await until('it is refused', () => refusals().length === 1)
    expect(workerPids(server.child.pid!)).to.deep.equal(pids)
  })

  it('replaces its workers without losing a request, also on connections that are open', async () => {
    writeConfig(configOf('Acme Parts').replace('workers: 2', 'workers: 1'))
    const earlier = workerPids(server.child.pid!)
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const statuses = new Set<number>()
    let isReloaded = false
    const clients = agents.map(async (agent) => {
      while (!isReloaded) statuses.add(await requestHealth(agent))
      statuses.add(await requestHealth(agent))
    })
    expect((await reload()).out).to.equal('The configuration was loaded again; workers: 1.\n')
    isReloaded = true
    await Promise.all(clients)
    expect([...statuses]).to.deep.equal([200])
    await until('the earlier workers have ended', () => workerPids(server.child.pid!).length === 1)
    expect(earlier).not.to.include(workerPids(server.child.pid!)[0])
    expect(await readMetrics()).to.match(/^forecourt_workers\{state="ready"\} 1$/m)
  })

  it('reloads at SIGHUP too, drains at SIGTERM and leaves nothing behind', async () => {
    const loads = () => logLines().filter(({ msg }) => msg === 'the configuration was loaded again').length
    server.child.kill('SIGHUP')
    await until('it has reloaded', () => loads() === 2)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).to.equal(0)
    expect(logLines().filter(({ msg, reason }) => msg === 'draining' && reason === 'SIGTERM')).to.have.length.above(1)
    expect((await reload()).code).to.equal(2)
  })

  it('has stored each start, with the version and the configuration', () => {
    using store = new DatabaseSync(join(folder, 'data', 'forecourt.db'), { readOnly: true })
    const starts = store.prepare('select version, config_digest from process_starts order by at').all()
    expect(starts).to.have.lengthOf(6)
    expect(new Set(starts.map((start) => start.version))).to.deep.equal(new Set([version]))
    const digests = starts.map(({ config_digest }) => config_digest as string)
    expect(digests[0]).to.match(/^[0-9a-f]{64}$/)
    expect(digests.map((digest) => digest === digests[0])).to.deep.equal([true, true, true, true, false, false])
  })
})

const countSockets = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    const path = `/proc/${pid}/fd/${fd}`
    return lstatSync(path, { throwIfNoEntry: false }) && readlinkSync(path).startsWith('socket:')
  }).length

/** Lists the child processes of the primary process, in ascending order. */
function workerPids(primary: number): number[] {
  const children = readFileSync(`/proc/${primary}/task/${primary}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean).map(Number)
}
