/** A real response of Forecourt that the bare servers send as well: same status, headers and bytes. */
export interface ResponseSample {
  status: number
  /** Without the headers that node:http adds. */
  headers: [string, string][]
  /** Base64, to be sent to a child process. */
  body: string
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Captures a response with node:http, which preserves the case of header names. */
export async function captureResponse(url: string, headers: Record<string, string>): Promise<ResponseSample> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<ResponseSample>()
  const req = request(url, { headers, agent: false }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const raw = response.rawHeaders
      const pairs = raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1]!]] : []))
      const sampled = pairs.filter(([name]) => !ADDED_BY_NODE.has(name.toLowerCase()))
      resolve({ status: response.statusCode!, headers: sampled, body: Buffer.concat(chunks).toString('base64') })
    })
  })
  req.on('error', reject)
  req.end()
  return promise
}

/** The body as Forecourt caches it: text when uncompressed, bytes when compressed. */
export function sampleBody({ headers, body }: ResponseSample): string | Buffer {
  const bytes = Buffer.from(body, 'base64')
  return headers.some(([name]) => name.toLowerCase() === 'content-encoding') ? bytes : bytes.toString()
}
