import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { System } from '../../src/ports/system.ts'
import { runAsChild } from './run-as-child.ts'
import { itemRow, priceRow, taxRow } from './upstream-rows.ts'

/** A message to the stub systems; the reply is the number of calls to each so far. */
export interface StubControl {
  delayMs?: number
  /** A system that accepts calls and never responds. */
  hung?: System | null
}
export type UpstreamCallCounts = Record<System, number>

let delayMs = 0
let hung: System | null = null
const calls: UpstreamCallCounts = { inventory: 0, pricing: 0, accounting: 0 }

/** The three systems of the upstream protocol with generated rows, each on its own port, in one process. */
runAsChild(async () => {
  const inventory = await serve('inventory', (url, body) => {
    if (url.pathname !== '/products') return body.skus.map((sku) => itemRow(sku, body.include))
    const from = Number(url.searchParams.get('offset') ?? 0)
    const count = Number(url.searchParams.get('limit') ?? 50)
    const parts = (url.searchParams.get('include') ?? 'product,stock').split(',')
    return Array.from({ length: count }, (_, index) => itemRow(`ROW-${from + index}`, parts))
  })
  const pricing = await serve('pricing', (_, { skus }) => skus.map(priceRow))
  const accounting = await serve('accounting', (_, { skus }) => skus.map(taxRow))
  return {
    ready: { inventory, pricing, accounting },
    answer(control: StubControl) {
      if (control.delayMs !== undefined) delayMs = control.delayMs
      if (control.hung !== undefined) hung = control.hung
      return { ...calls }
    },
  }
})

interface BatchBody {
  skus: string[]
  include: string[]
}

async function serve(system: System, rows: (url: URL, body: BatchBody) => string[]): Promise<string> {
  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    calls[system] += 1
    const body = req.method === 'POST' ? JSON.parse(await text(req)) : null
    if (hung === system) return
    const url = new URL(req.url!, 'http://127.0.0.1')
    const json = `{"data":[${rows(url, body).join()}],"total":100000,"has_more":true}`
    const send = () =>
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': json.length }).end(json)
    if (delayMs > 0) setTimeout(send, delayMs)
    else send()
  }
  const server = createServer(
    { keepAliveTimeout: 65_000 },
    (req, res) => void respond(req, res).catch(() => res.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
