import type { IncomingHttpHeaders } from 'node:http'

export interface ForwardResult {
  status: number
  /** For who watches. */
  how: string
}

const BAD_GATEWAY = 502
const PASSED_ON = /^(?:x-service-.+|webhook-.+|content-type|user-agent)$/

/** What a shop's own server answers; one that does not is a bad gateway, with the reason. */
export async function forwardEvent(
  url: string,
  given: IncomingHttpHeaders,
  body: Buffer,
  patienceMs: number,
): Promise<ForwardResult> {
  const headers = Object.entries(given).flatMap(([name, value]) =>
    PASSED_ON.test(name) ? [[name, String(value)] as [string, string]] : [],
  )
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const { status, body: rest } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await rest?.cancel()
    return { status, how: `answered ${status}, as ${url} did` }
  } catch (error) {
    return { status: BAD_GATEWAY, how: `answered ${BAD_GATEWAY}: ${url} ${reasonOf(error as Error, patienceMs)}` }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection. Is the shop running?',
  ECONNRESET: 'cut the connection',
  UND_ERR_SOCKET: 'cut the connection',
  ENOTFOUND: 'has a host that is not found',
  EAI_AGAIN: 'has a host that is not found',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
}

/** fetch says "fetch failed" and keeps why to itself. */
function reasonOf({ name, message, cause }: Error, patienceMs: number): string {
  if (name === 'TimeoutError') return `did not answer within ${patienceMs / 1_000} s`
  const { code = '', message: why = message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  return REASONS[code] ?? `cannot be asked (${code || why})`
}
