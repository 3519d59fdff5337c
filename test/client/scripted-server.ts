import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface ScriptedServer extends AsyncDisposable {
  url: string
  seen: SeenRequest[]
}

export type ScriptedResponse = (response: ServerResponse, request: SeenRequest) => void

/** Starts a server that gives these responses in order; the last one again and again. */
export async function startScriptedServer(...script: ScriptedResponse[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    const one: SeenRequest = { method, path, headers, body: '' }
    seen.push(one)
    const answer = script[Math.min(seen.length, script.length) - 1]!
    request.setEncoding('utf8').on('data', (text) => {
      one.body += text
    })
    request.on('end', () => answer(response, one))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const respond =
  (status: number, body: unknown, headers: Record<string, string> = {}): ScriptedResponse =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const respondEmpty: ScriptedResponse = (response) => response.writeHead(204).end()
export const hang: ScriptedResponse = () => undefined
export const disconnect: ScriptedResponse = (response) => response.destroy()

export const problem = (status: number, code: string) => ({
  type: 'about:blank',
  title: 'Problem',
  status,
  code,
  detail: 'what happened',
  request_id: 'req-1',
})
