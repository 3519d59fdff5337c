import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { certificates } from '../webhooks/tls-certificates.ts'
import { readDoc } from './read-doc.ts'

export interface ProxyPorts {
  https: number
  http: number
  api: number
  operations: number
}

interface ProxyExample {
  name: 'nginx' | 'caddy'
  /** Makes the example listen on a free port of this machine, in front of a test's server. */
  adapt(example: string, ports: ProxyPorts, directory: string): string
  /** The command that runs it in the foreground. */
  command(directory: string): string[]
}

const nginx: ProxyExample = {
  name: 'nginx',
  adapt: (example, { https, http, api, operations }, directory) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log stderr;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
${example
  .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `)
  .replaceAll('listen 80;', `listen 127.0.0.1:${http};`)
  .replaceAll('/etc/ssl/forecourt', `${directory}/forecourt`)
  .replace('127.0.0.1:8080', `127.0.0.1:${api}`)
  .replace('127.0.0.1:8081', `127.0.0.1:${operations}`)}
}`,
  command: (directory) => ['nginx', '-p', directory, '-e', 'stderr', '-c', join(directory, 'config')],
}

const caddy: ProxyExample = {
  name: 'caddy',
  adapt: (example, { https, api, operations }, directory) => `
{
  admin off
  auto_https off
  grace_period 1s
  default_bind 127.0.0.1
}
${example
  .replaceAll(
    /^(\w+\.acme\.example) {$/gm,
    `https://$1:${https} {\n  tls ${directory}/forecourt.pem ${directory}/forecourt.key`,
  )
  .replace('127.0.0.1:8080', `127.0.0.1:${api}`)
  .replace('127.0.0.1:8081', `127.0.0.1:${operations}`)}`,
  command: (directory) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(directory, 'config')],
}

const isInstalled = ({ name }: ProxyExample) =>
  spawnSync(name, [name === 'nginx' ? '-v' : 'version']).error === undefined

/** Lists the examples whose program is installed. In CI, nginx must be. */
export function listProxyExamples(): ProxyExample[] {
  const missing = 'nginx is not installed. On Debian: apt-get install --no-install-recommends nginx'
  if (!isInstalled(nginx) && process.env.CI === 'true') throw new Error(missing)
  const examples = [nginx, caddy].filter(isInstalled)
  if (!examples.includes(nginx)) process.stderr.write(`Skipped: the proxy of the docs. ${missing}.\n`)
  return examples
}

/** Runs the example of docs/reverse-proxy.md. Resolves when it accepts connections. */
export async function startProxyExample(example: ProxyExample, ports: ProxyPorts): Promise<AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), `forecourt-${example.name}-`))
  const { cert, key } = certificates.localhost
  const block = new RegExp(`<!-- ${example.name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\\n\`\`\``)
  const text = block.exec(readDoc('reverse-proxy.md'))![1]!
  await writeFile(join(directory, 'forecourt.pem'), cert)
  await writeFile(join(directory, 'forecourt.key'), key)
  await writeFile(join(directory, 'config'), example.adapt(text, ports, directory))
  const [program, ...args] = example.command(directory)
  const env = { ...process.env, HOME: directory }
  const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const stop = async () => {
    await end(child)
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await until(`${example.name} accepts connections`, () => {
      if (child.exitCode !== null) throw new Error(`${example.name} has exited:\n${output}`)
      return isListening(ports.https)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { [Symbol.asyncDispose]: stop }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    request({ port, host: '127.0.0.1', servername: 'api.acme.example', rejectUnauthorized: false, path: '/livez' })
      .on('response', (response) => {
        response.resume()
        resolve(true)
      })
      .on('error', () => resolve(false))
      .end()
  })
