/** One real answer of Forecourt, for the bare systems to send again: same status, same header names and value lengths, same bytes. */
export interface ResponseSample {
  status: number
  /** Without those that node:http adds by itself. */
  headers: [string, string][]
  /** Base64, because it travels as a message. */
  body: string
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Reads a sample with node:http, which keeps header names as they were sent. */
export async function captureResponse(url: string, headers: Record<string, string>): Promise<ResponseSample> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<ResponseSample>()
  const requestScope = request(url, { headers, agent: false }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const raw = response.rawHeaders
      const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1]!]] : []))
      const kept = pairs.filter(([name]) => !ADDED_BY_NODE.has(name.toLowerCase()))
      resolve({ status: response.statusCode!, headers: kept, body: Buffer.concat(chunks).toString('base64') })
    })
  })
  requestScope.on('error', reject)
  requestScope.end()
  return promise
}

/** The body as Forecourt keeps it: text where it is sent as it is, bytes where it is compressed. */
export function sampleBody({ headers, body }: ResponseSample): string | Buffer {
  const bytes = Buffer.from(body, 'base64')
  return headers.some(([name]) => name.toLowerCase() === 'content-encoding') ? bytes : bytes.toString()
}
