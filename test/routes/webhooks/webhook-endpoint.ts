import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface Endpoint extends AsyncDisposable {
  url: string
  received: Received[]
  /** Sets the status of later responses; `null`: no response. */
  respondWith(status: number | null): void
}

/** Starts a webhook endpoint of a merchant. */
export async function startEndpoint(): Promise<Endpoint> {
  const received: Received[] = []
  let status: number | null = 204
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) })
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    respondWith(next) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
