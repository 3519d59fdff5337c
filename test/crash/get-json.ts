export interface ApiResponse<B> {
  /** 0: there was none. */
  status: number
  body: B
}

const TIMEOUT_MS = 60_000

export async function getJson<B>(address: string, key: string, path: string): Promise<ApiResponse<B>> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await fetch(address + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { status: reply.status, body: (await reply.json()) as B }
  } catch {
    return { status: 0, body: null as B }
  }
}
