import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readDoc } from '../docs/read-doc.ts'
import { freePort } from '../support/free-port.ts'
import type { NamespaceMachine } from './network-namespace-machines.ts'

/** The upstream block for several machines of docs/reverse-proxy.md, and its location for the API. */
const [upstream, location] = [
  /<!-- nginx machines -->\n```nginx\n([\s\S]*?)\n```/,
  /^ {2}location \/ {\n {4}proxy_pass http:\/\/forecourt_api;[\s\S]*?^ {2}}/m,
].map((pattern) => pattern.exec(readDoc('reverse-proxy.md'))!.at(-1)!) as [string, string]

/** The nginx of the docs in front of machines. */
export class NginxBalancer implements AsyncDisposable {
  readonly address: string
  readonly #port: number
  readonly #directory: string
  readonly #machines: readonly NamespaceMachine[]
  #nginx: ChildProcess | undefined

  private constructor(port: number, directory: string, machines: readonly NamespaceMachine[]) {
    this.#port = port
    this.address = `http://127.0.0.1:${port}`
    this.#directory = directory
    this.#machines = machines
  }

  /** Starts nginx with its files in this folder. */
  static async start(directory: string, machines: readonly NamespaceMachine[]): Promise<NginxBalancer> {
    const balancer = new NginxBalancer(await freePort(), directory, machines)
    await balancer.#configure()
    const args = ['-p', directory, '-e', 'stderr', '-c', join(directory, 'nginx.conf')]
    const nginx = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    balancer.#nginx = nginx
    while (!(await fetch(balancer.address).catch(() => null))) {
      if (nginx.exitCode !== null) throw new Error(`nginx has exited with ${nginx.exitCode}`)
      await pause(20)
    }
    return balancer
  }

  /** Sends no further request to a machine. Resolves when the nginx processes that knew it have ended. */
  async takeOut(machine: NamespaceMachine): Promise<void> {
    await this.#configure(machine)
    await this.#reload()
  }

  async putBack(): Promise<void> {
    await this.#configure()
    await this.#reload()
  }

  /** Resolves when a machine has a request again: nginx avoids one that was lost for `fail_timeout`. */
  async untilUsed({ endpoint }: NamespaceMachine): Promise<void> {
    const readLog = () => readFile(join(this.#directory, 'nginx-access.log'), 'utf8')
    const { length } = await readLog()
    while (!(await readLog()).slice(length).includes(` 200 ${endpoint} `)) await pause(50)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#nginx!, 'exit')
    this.#nginx!.kill('SIGTERM')
    await exited
  }

  async #configure(down?: NamespaceMachine): Promise<void> {
    const servers = this.#machines.reduce(
      (text, machine, index) =>
        text.replace(`10.0.0.1${index + 1}:8080`, `${machine.endpoint}${machine === down ? ' down' : ''}`),
      upstream,
    )
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const config = `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${this.#directory}/nginx.pid;
error_log ${this.#directory}/nginx-error.log;
events { worker_connections 512; }
http {
  log_format upstreams '$request_method $uri $status $upstream_addr $upstream_connect_time';
  access_log ${this.#directory}/nginx-access.log upstreams;
  ${folders.map((name) => `${name}_temp_path ${this.#directory}/${name};`).join('\n  ')}
  # A client would have to repeat a request that arrives as its connection is closed.
  keepalive_timeout 0;
${servers}
  server {
    listen 127.0.0.1:${this.#port};
${location}
  }
}`
    await writeFile(join(this.#directory, 'nginx.conf'), config)
  }

  async #reload(): Promise<void> {
    const before = await this.#listWorkers()
    this.#nginx!.kill('SIGHUP')
    while ((await this.#listWorkers()).some((pid) => before.includes(pid))) await pause(20)
  }

  async #listWorkers(): Promise<string[]> {
    const { pid } = this.#nginx!
    return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
  }
}
