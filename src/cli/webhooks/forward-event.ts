import type { IncomingHttpHeaders } from 'node:http'

export interface ForwardRequest {
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
  timeoutMs: number
}

export interface ForwardResult {
  status: number
  /** For the person who reads the output. */
  description: string
}

const BAD_GATEWAY = 502
const FORWARDED_HEADERS = /^(?:x-service-.+|webhook-.+|content-type|user-agent)$/

/** Forwards an event to the shop's server and returns its status; 502 with the reason when the server does not respond. */
export async function forwardEvent({ url, headers, body, timeoutMs }: ForwardRequest): Promise<ForwardResult> {
  const forwardedHeaders = Object.entries(headers).flatMap(([name, value]) =>
    FORWARDED_HEADERS.test(name) ? [[name, String(value)] as [string, string]] : [],
  )
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: forwardedHeaders,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return { status: response.status, description: `responded ${response.status}, as ${url} did` }
  } catch (error) {
    const reason = describeFailure(error as Error, timeoutMs)
    return { status: BAD_GATEWAY, description: `responded ${BAD_GATEWAY}: ${url} ${reason}` }
  }
}

const failureDescriptions: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection. Is the shop running?',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  ENOTFOUND: 'has an unknown host',
  EAI_AGAIN: 'has an unknown host',
  EHOSTUNREACH: 'is unreachable',
  ENETUNREACH: 'is unreachable',
}

/** Describes the cause, because the message of fetch is only "fetch failed". */
function describeFailure({ name, message, cause }: Error, timeoutMs: number): string {
  if (name === 'TimeoutError') return `did not respond within ${timeoutMs / 1_000} s`
  const { code = '', message: reason = message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  return failureDescriptions[code] ?? `failed (${code || reason})`
}
