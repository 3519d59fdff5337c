import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import type { CatalogRead } from './catalog-reads.ts'
import type { CheckedResponse } from './check-response.ts'

export interface ReadLoadOptions {
  address: string
  key: string
  perSecond: number
  nextRead(): CatalogRead
  /** `ms`: from when the request was due to the end of its response. */
  onResponse(response: CheckedResponse, ms: number): void
}

const CONNECTIONS = 64
/** One of so many reads repeats an earlier one, with its ETag. */
const REPEAT_EVERY = 8
const MAX_REMEMBERED = 50

/** Sends reads at an even rate until it is disposed. When all connections wait for a response, reads are sent late. */
export function startReadLoad({ address, key, perSecond, nextRead, onResponse }: ReadLoadOptions): AsyncDisposable {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const underWay = new Set<Promise<void>>()
  const remembered: { read: CatalogRead; etag: string }[] = []
  let isStopped = false

  async function send(read: CatalogRead, dueAt: number, etag?: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, ...(etag && { 'if-none-match': etag }) }
    const sentAt = Date.now()
    const reply = await sendHttpRequest(address, read.path, { headers, body: read.posted }, agent).catch(() => null)
    const times = { sentAt, receivedAt: Date.now() }
    onResponse({ ...read, ...times, status: reply?.status ?? 0, body: reply?.body }, performance.now() - dueAt)
    if (reply?.status !== 200 || read.posted || !reply.headers.etag || etag) return
    remembered.push({ read, etag: reply.headers.etag })
    if (remembered.length > MAX_REMEMBERED) remembered.shift()
  }

  async function run(): Promise<void> {
    const startedAt = performance.now()
    for (let count = 0; !isStopped; await pause(2)) {
      const isDue = () => count < ((performance.now() - startedAt) * perSecond) / 1_000
      for (; isDue() && underWay.size < CONNECTIONS; count++) {
        const repeated = count % REPEAT_EVERY === 0 ? remembered[count % remembered.length] : undefined
        const dueAt = startedAt + (count * 1_000) / perSecond
        const sending = send(repeated?.read ?? nextRead(), dueAt, repeated?.etag)
        underWay.add(sending)
        sending.finally(() => underWay.delete(sending))
      }
    }
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true
      await running
      await Promise.all(underWay)
      agent.destroy()
    },
  }
}
