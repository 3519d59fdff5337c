import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { listenAndCount } from '../support/listen-and-count.ts'

export interface ReceivedRequest {
  path: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: Buffer
}

export interface WebhookReceiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or https on localhost. */
  url: string
  port: number
  /** The requests, in the order in which they completed. */
  received: ReceivedRequest[]
  /** The total of TCP connections. */
  connections(): number
}

/** A local HTTP endpoint that records its requests. */
export async function startWebhookReceiver(answer: RequestListener, tls?: ServerOptions): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  const listener: RequestListener = async (req, res) => {
    const chunks = await req.toArray()
    const { url: path = '', headers, rawHeaders } = req
    received.push({ path, headers, rawHeaders, body: Buffer.concat(chunks) })
    answer(req, res)
  }
  const server = tls ? createTlsServer(tls, listener) : createHttpServer(listener)
  const { port, connections, close } = await listenAndCount(server)
  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    port,
    received,
    connections,
    async [Symbol.asyncDispose]() {
      ;(server as Server).closeAllConnections()
      await close()
    },
  }
}
