import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one exchange on its way. */
export type ProxyFault =
  /** Kept back until `release`, or for ever. */
  | 'hold'
  /** The connection breaks before the system was asked. */
  | 'cut'
  /** The system did what it was asked, and its answer is lost. */
  | 'lose'
  /** The connection breaks in the middle of the answer. */
  | 'halve'
  /** This answer instead; the system was not asked. */
  | { status: number; headers?: Record<string, string>; body?: string }

/** `n` counts from 1, since the plan was made. */
export type FaultPlan = (n: number, body: string) => ProxyFault | undefined

/** A way of its own through the go-between, which leads to any number of systems. */
export interface ProxyRoute {
  way(address: string): string
  /** Exchanges since the plan was made. */
  readonly count: number
  readonly held: number
  plan(plan?: FaultPlan): void
  /** Lets what is held go on to the systems, and resolves when they have answered. */
  release(): Promise<void>
}

export interface FaultProxy extends AsyncDisposable {
  passage(plan?: FaultPlan): ProxyRoute
}

interface Held {
  go(): Promise<unknown>
}

/** An HTTP server that stands before others, and loses, breaks, delays or forges what passes. */
export async function startFaultProxy(): Promise<FaultProxy> {
  const passages: { targets: string[]; next(body: string): ProxyFault | undefined; held: Held[] }[] = []
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming)
    const [, number, target, rest] = /^\/p(\d+)\.(\d+)(.*)$/.exec(incoming.url ?? '')!
    const passage = passages[Number(number)]!
    const go = () => forward(agent, passage.targets[Number(target)]! + rest, incoming, body)
    const trouble = passage.next(body.toString())
    if (trouble === 'hold') passage.held.push({ go: () => go().then((answer) => send(response, answer)) })
    else if (trouble === 'cut') response.destroy()
    else if (trouble === 'lose') await go().finally(() => response.destroy())
    else if (trouble === 'halve') sendHalf(response, await go())
    else send(response, typeof trouble === 'object' ? forged(trouble) : await go())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function passage(first?: FaultPlan): ProxyRoute {
    const number = passages.length
    const targets: string[] = []
    const held: Held[] = []
    let plan = first
    let count = 0
    const next = (body: string) => {
      count += 1
      return plan?.(count, body)
    }
    passages.push({ targets, next, held })
    return {
      way: (address) => `${origin}/p${number}.${targets.push(address.replace(/\/+$/, '')) - 1}`,
      get count() {
        return count
      },
      get held() {
        return held.length
      },
      plan(then) {
        plan = then
        count = 0
      },
      async release() {
        await Promise.all(held.splice(0).map(({ go }) => go()))
      },
    }
  }

  return {
    passage,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const bodyOf = async (message: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function forward(agent: Agent, address: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { connection: _, host: __, ...headers } = incoming.headers
  const requestScope = request(address, { agent, method: incoming.method ?? 'GET', headers })
  requestScope.end(body)
  const [message] = (await once(requestScope, 'response')) as [IncomingMessage]
  const whole = await bodyOf(message)
  const { 'transfer-encoding': ___, connection: ____, 'keep-alive': _____, ...rest } = message.headers
  return { status: message.statusCode!, headers: { ...rest, 'content-length': String(whole.length) }, body: whole }
}

function forged({ status, headers = {}, body = '' }: Exclude<ProxyFault, string>): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body) }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (!response.destroyed) response.writeHead(status, headers as Record<string, string>).end(body)
}

function sendHalf(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers as Record<string, string>)
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}
