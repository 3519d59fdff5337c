import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault in one exchange. */
export type ProxyFault =
  /** The request waits for `release`, or forever. */
  | 'hold'
  /** The connection breaks before the request reaches the system. */
  | 'cut'
  /** The system handles the request, and its response is lost. */
  | 'lose'
  /** The connection breaks in the middle of the response. */
  | 'halve'
  /** This response is sent instead; the request does not reach the system. */
  | { status: number; headers?: Record<string, string>; body?: string }

/** `number`: of the exchange, from 1, since the plan was set. */
export type FaultPlan = (number: number, body: string) => ProxyFault | undefined

/** A route through the proxy to any number of systems, with faults of its own. */
export interface ProxyRoute {
  /** Returns the address under which this route leads to a system. */
  addressFor(address: string): string
  /** Exchanges since the plan was set. */
  readonly count: number
  readonly heldCount: number
  setPlan(plan?: FaultPlan): void
  /** Forwards the held requests, and resolves when the systems have responded. */
  release(): Promise<void>
}

export interface FaultProxy extends AsyncDisposable {
  createRoute(plan?: FaultPlan): ProxyRoute
}

interface HeldRequest {
  forward(): Promise<unknown>
}

/** An HTTP proxy that drops, breaks, delays or replaces exchanges. */
export async function startFaultProxy(): Promise<FaultProxy> {
  const routes: { targets: string[]; next(body: string): ProxyFault | undefined; held: HeldRequest[] }[] = []
  const agent = new Agent({ keepAlive: true })
  // An idle connection stays open: on a busy machine, it would be closed just when the next request is sent on it.
  const server = createServer({ keepAliveTimeout: 0 }, async (incoming, response) => {
    const body = await readBody(incoming)
    const [, number, target, rest] = /^\/p(\d+)\.(\d+)(.*)$/.exec(incoming.url ?? '')!
    const route = routes[Number(number)]!
    const pass = () => forward(agent, route.targets[Number(target)]! + rest, incoming, body)
    const fault = route.next(body.toString())
    if (fault === 'hold') route.held.push({ forward: () => pass().then((forwarded) => send(response, forwarded)) })
    else if (fault === 'cut') response.destroy()
    else if (fault === 'lose') await pass().finally(() => response.destroy())
    else if (fault === 'halve') sendHalf(response, await pass())
    else send(response, typeof fault === 'object' ? toResponse(fault) : await pass())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function createRoute(initialPlan?: FaultPlan): ProxyRoute {
    const number = routes.length
    const targets: string[] = []
    const held: HeldRequest[] = []
    let plan = initialPlan
    let count = 0
    const next = (body: string) => {
      count += 1
      return plan?.(count, body)
    }
    routes.push({ targets, next, held })
    return {
      addressFor: (address) => `${origin}/p${number}.${targets.push(address.replace(/\/+$/, '')) - 1}`,
      get count() {
        return count
      },
      get heldCount() {
        return held.length
      },
      setPlan(newPlan) {
        plan = newPlan
        count = 0
      },
      async release() {
        await Promise.all(held.splice(0).map((request) => request.forward()))
      },
    }
  }

  return {
    createRoute,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface ForwardedResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const readBody = async (message: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function forward(
  agent: Agent,
  address: string,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<ForwardedResponse> {
  const { connection: _, host: __, ...headers } = incoming.headers
  const outgoing = request(address, { agent, method: incoming.method ?? 'GET', headers })
  outgoing.end(body)
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  const received = await readBody(message)
  const { 'transfer-encoding': ___, connection: ____, 'keep-alive': _____, ...rest } = message.headers
  return {
    status: message.statusCode!,
    headers: { ...rest, 'content-length': String(received.length) },
    body: received,
  }
}

function toResponse({ status, headers = {}, body = '' }: Exclude<ProxyFault, string>): ForwardedResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body) }
}

function send(response: ServerResponse, { status, headers, body }: ForwardedResponse): void {
  if (!response.destroyed) response.writeHead(status, headers as Record<string, string>).end(body)
}

function sendHalf(response: ServerResponse, { status, headers, body }: ForwardedResponse): void {
  response.writeHead(status, headers as Record<string, string>)
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}
