import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fate of an exchange: it passes, its response is lost, or it never reaches the system. */
export type ExchangeFate = 'well' | 'answer lost' | 'not sent'

export interface LossyProxy extends AsyncDisposable {
  address: string
  /** The number of calls that reached the system, by method. */
  readonly calls: Map<string, number>
  readonly lost: number
  /** Sets the fate of the next exchange of this method. */
  fate(method: string): ExchangeFate
}

/** A proxy between Forecourt and a back office that loses exchanges on request. */
export async function startLossyProxy(target: string, fate: (method: string) => ExchangeFate): Promise<LossyProxy> {
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true })
  const calls = new Map<string, number>()
  let lost = 0

  const server = createServer(async (req, res) => {
    try {
      const body = Buffer.concat(await req.toArray())
      const method = methodOf(req, body)
      const outcome = proxy.fate(method)
      if (outcome !== 'well') lost += 1
      if (outcome === 'not sent') return void req.socket.destroy()
      calls.set(method, (calls.get(method) ?? 0) + 1)
      const answer = await passedOn(req, body)
      if (outcome === 'answer lost') return void req.socket.destroy()
      res.writeHead(answer.status, answer.headers).end(answer.body)
    } catch {
      req.socket.destroy()
    }
  })

  /** Reads the full response even when the caller is gone: work that a killed process started is completed. */
  async function passedOn({ url, headers }: IncomingMessage, body: Buffer) {
    const sent = request({ hostname, port, agent, path: url, headers, method: 'POST' })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers
    return { status: answer.statusCode!, headers: kept, body: Buffer.concat(await answer.toArray()) }
  }

  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: LossyProxy = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fate,
    get lost() {
      return lost
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      agent.destroy()
    },
  }
  return proxy
}

/** The method is in the path of Odoo's JSON-2, in the body of Tryton's JSON-RPC, and in the arguments of the JSON-RPC of older Odoo. */
function methodOf({ url = '' }: IncomingMessage, body: Buffer): string {
  if (url.startsWith('/json/2/')) return url.slice('/json/2/'.length)
  try {
    const { method, params } = JSON.parse(body.toString()) as { method: unknown; params?: { args?: unknown[] } }
    return url === '/jsonrpc' ? `${params?.args?.[3]}/${params?.args?.[4]}` : String(method)
  } catch {
    return ''
  }
}
