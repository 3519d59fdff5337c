import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** A response of server-sent events, as a client reads it. */
export interface OpenEventStream {
  status: number
  headers: IncomingHttpHeaders
  /** Returns the next block without its blank line; `null` when the server has ended the response. */
  next(): Promise<string | null>
  close(): void
}

export async function openEventStream(address: string, path: string, headers = {}): Promise<OpenEventStream> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request(new URL(path, address), { headers }, resolve).on('error', reject).end()
  const response = await promise
  const blocks = readBlocks(response)
  return {
    status: response.statusCode!,
    headers: response.headers,
    next: async () => (await blocks.next()).value ?? null,
    close: () => outgoing.destroy(),
  }
}

async function* readBlocks(response: IncomingMessage): AsyncGenerator<string, null> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    yield* blocks
  }
  return null
}
