import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { docsFile } from './read-doc.ts'

export interface PrometheusServer extends AsyncDisposable {
  /** Returns the number of series in the result of an expression. */
  countSeries(expr: string): Promise<number>
  /** Returns the rules that Prometheus has evaluated, each with its last error. */
  rules(): Promise<{ name: string; health: string; lastError?: string }[]>
}

/** Runs a real Prometheus with the alert rules, which scrapes one address every second. */
export async function startPrometheus(metricsAddress: string): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-prometheus-'))
  const port = await freePort()
  const { host, pathname } = new URL(metricsAddress)
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    scrape_configs: [{ job_name: 'forecourt', metrics_path: pathname, static_configs: [{ targets: [host] }] }],
    rule_files: [docsFile('alerts/forecourt.rules.yml')],
  }
  await writeFile(join(directory, 'prometheus.yml'), stringify(config))
  const flags = { 'config.file': join(directory, 'prometheus.yml'), 'storage.tsdb.path': join(directory, 'data') }
  const args = Object.entries({ ...flags, 'web.listen-address': `127.0.0.1:${port}` }).map(([k, v]) => `--${k}=${v}`)
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })

  async function read<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${text}`)
    return (JSON.parse(text) as { data: T }).data
  }
  await until('Prometheus responds', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus has exited:\n${output}`)
    return read('status/buildinfo').then(Boolean, () => false)
  })
  return {
    async countSeries(expr) {
      return (await read<{ result: unknown[] }>(`query?query=${encodeURIComponent(expr)}`)).result.length
    },
    async rules() {
      type Groups = { groups: { rules: Awaited<ReturnType<PrometheusServer['rules']>> }[] }
      return (await read<Groups>('rules')).groups.flatMap((group) => group.rules)
    },
    async [Symbol.asyncDispose]() {
      await stop(child)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
