import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { withPostgresClient } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

export interface PgBouncerServer extends AsyncDisposable {
  /** Returns the URL of a database of the same PostgreSQL server, through PgBouncer. */
  through(url: string): string
}

/** Fewer than the connections of a process, so that its transactions share sessions of PostgreSQL. */
const SESSIONS = 3
const missing = 'PgBouncer is not installed. On Debian: apt-get install --no-install-recommends pgbouncer'

/** Returns whether a test can start PgBouncer. In CI it must be installed. */
export function hasPgBouncer(): boolean {
  if (spawnSync('pgbouncer', ['--version']).error === undefined) return true
  if (process.env.CI === 'true') throw new Error(missing)
  process.stderr.write(`Skipping tests with PgBouncer. ${missing}.\n`)
  return false
}

/** Starts PgBouncer in front of the PostgreSQL server of a URL, with these lines of `pgbouncer.ini`. */
export async function startPgBouncer(server: string, settings: readonly string[]): Promise<PgBouncerServer> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(server)
  await writeFile(join(directory, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort || 5432}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = md5',
    `auth_file = ${join(directory, 'users.txt')}`,
    `default_pool_size = ${SESSIONS}`,
    ...settings,
  ]
  await writeFile(join(directory, 'pgbouncer.ini'), lines.join('\n'))
  // PgBouncer does not run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', 'postgres', directory])
  const account = isRoot ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...account, join(directory, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const through = (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href
  await until('PgBouncer accepts connections', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer has exited:\n${output}`)
    return withPostgresClient(through(server), () => Promise.resolve()).then(
      () => true,
      (error: { code?: string }) => error.code !== 'ECONNREFUSED',
    )
  })
  return {
    through,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      // Ends its connections at once.
      if (child.kill('SIGTERM')) await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}
