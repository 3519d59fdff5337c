import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { SeededRandom } from './seeded-random.ts'

/** What an endpoint does with a delivery. `sound`: sooner or later it takes all of them. */
export interface EndpointBehavior {
  name: string
  sound: boolean
  take(req: IncomingMessage, res: ServerResponse, random: SeededRandom, times: number): void
}

const ok = (res: ServerResponse) => void res.writeHead(204).end()
const status = (code: number, headers = {}) => ({
  take: (_: IncomingMessage, res: ServerResponse) => void res.writeHead(code, headers).end('no'),
})
const after = (ms: number) => ({
  take: (_: IncomingMessage, res: ServerResponse) => void setTimeout(ok, ms, res),
})
const sometimes = (share: number, otherwise: EndpointBehavior['take']): Pick<EndpointBehavior, 'take'> => ({
  take: (req, res, random, times) => (random.next() < share ? otherwise(req, res, random, times) : ok(res)),
})
const reset = (req: IncomingMessage) => void req.socket.resetAndDestroy()
const hang = () => {}

/** As many as a merchant may have. */
export const endpointBehaviors: readonly EndpointBehavior[] = [
  ...Array.from({ length: 8 }, (_, at) => ({
    name: `quick ${at}`,
    sound: true,
    take: (_: unknown, res: ServerResponse) => ok(res),
  })),
  { name: 'slow', sound: true, ...after(50) },
  { name: 'slower', sound: true, ...after(200) },
  { name: 'closing', sound: true, take: (_, res) => ok(res.setHeader('Connection', 'close')) },
  { name: 'busy at first', sound: false, take: (_, res, __, times) => (times > 100 ? ok(res) : busy(res)) },
  { name: 'failing at times', sound: false, ...sometimes(0.3, (_, res) => void res.writeHead(500).end()) },
  { name: 'resetting at times', sound: false, ...sometimes(0.3, reset) },
  { name: 'hanging at times', sound: false, ...sometimes(0.02, hang) },
  { name: 'failing', sound: false, ...status(500) },
  { name: 'hanging', sound: false, take: hang },
  { name: 'redirecting', sound: false, ...status(302, { location: '/quick%200' }) },
  { name: 'resetting', sound: false, take: reset },
  { name: 'gone', sound: false, ...status(410) },
]
const busy = (res: ServerResponse) => void res.writeHead(429, { 'retry-after': '2' }).end()

export interface WebhookEndpoints extends AsyncDisposable {
  url(name: string): string
  /** Whose deliveries must be signed with it. */
  secrets: Map<string, string>
  /** How often each event came, by endpoint. */
  received: Map<string, Map<string, number>>
  /** How many deliveries came, of all kinds. */
  taken: number
  forged: number
}

/** Webhook endpoints that are as good and as bad as merchants' are. */
export async function startWebhookEndpoints(random: SeededRandom): Promise<WebhookEndpoints> {
  const secrets = new Map<string, string>()
  const received = new Map(endpointBehaviors.map(({ name }) => [name, new Map<string, number>()]))
  let forged = 0
  let taken = 0

  const server = createServer(async (req, res) => {
    const name = decodeURIComponent(req.url!.slice(1))
    const body = await buffer(req).catch(() => null)
    const own = received.get(name)
    if (!body || !own) return void res.writeHead(404).end()
    const signature = `sha256=${createHmac('sha256', secrets.get(name) ?? '')
      .update(body)
      .digest('hex')}`
    if (req.headers['x-service-signature'] !== signature) forged += 1
    const { id } = JSON.parse(String(body)) as { id: string }
    own.set(id, (own.get(id) ?? 0) + 1)
    taken += 1
    endpointBehaviors.find((manner) => manner.name === name)!.take(req, res, random, own.size)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (name) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    ...{ secrets, received },
    get forged() {
      return forged
    },
    get taken() {
      return taken
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
