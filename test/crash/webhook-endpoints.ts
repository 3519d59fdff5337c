import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { SeededRandom } from './seeded-random.ts'

/** The behavior of an endpoint. A reliable one accepts every delivery, sooner or later. */
export interface EndpointBehavior {
  name: string
  isReliable: boolean
  respond(req: IncomingMessage, res: ServerResponse, random: SeededRandom, times: number): void
}

const ok = (res: ServerResponse) => void res.writeHead(204).end()
const status = (code: number, headers = {}) => ({
  respond: (_: IncomingMessage, res: ServerResponse) => void res.writeHead(code, headers).end('no'),
})
const after = (ms: number) => ({
  respond: (_: IncomingMessage, res: ServerResponse) => void setTimeout(ok, ms, res),
})
const sometimes = (share: number, otherwise: EndpointBehavior['respond']): Pick<EndpointBehavior, 'respond'> => ({
  respond: (req, res, random, times) => (random.next() < share ? otherwise(req, res, random, times) : ok(res)),
})
const reset = (req: IncomingMessage) => void req.socket.resetAndDestroy()
const hang = () => {}

/** As many endpoints as a merchant may have. */
export const endpointBehaviors: readonly EndpointBehavior[] = [
  ...Array.from({ length: 8 }, (_, at) => ({
    name: `quick ${at}`,
    isReliable: true,
    respond: (_: unknown, res: ServerResponse) => ok(res),
  })),
  { name: 'slow', isReliable: true, ...after(50) },
  { name: 'slower', isReliable: true, ...after(200) },
  { name: 'closing', isReliable: true, respond: (_, res) => ok(res.setHeader('Connection', 'close')) },
  { name: 'busy at first', isReliable: false, respond: (_, res, __, times) => (times > 100 ? ok(res) : busy(res)) },
  { name: 'failing at times', isReliable: false, ...sometimes(0.3, (_, res) => void res.writeHead(500).end()) },
  { name: 'resetting at times', isReliable: false, ...sometimes(0.3, reset) },
  { name: 'hanging at times', isReliable: false, ...sometimes(0.02, hang) },
  { name: 'failing', isReliable: false, ...status(500) },
  { name: 'hanging', isReliable: false, respond: hang },
  { name: 'redirecting', isReliable: false, ...status(302, { location: '/quick%200' }) },
  { name: 'resetting', isReliable: false, respond: reset },
  { name: 'gone', isReliable: false, ...status(410) },
]
const busy = (res: ServerResponse) => void res.writeHead(429, { 'retry-after': '2' }).end()

export interface WebhookEndpoints extends AsyncDisposable {
  url(name: string): string
  /** The signing secret of each endpoint. */
  secrets: Map<string, string>
  /** The number of deliveries of each event, by endpoint. */
  received: Map<string, Map<string, number>>
  /** The number of all deliveries. */
  deliveryCount: number
  forgedCount: number
}

/** Starts webhook endpoints with good and bad behavior. */
export async function startWebhookEndpoints(random: SeededRandom): Promise<WebhookEndpoints> {
  const secrets = new Map<string, string>()
  const received = new Map(endpointBehaviors.map(({ name }) => [name, new Map<string, number>()]))
  let forgedCount = 0
  let deliveryCount = 0

  const server = createServer(async (req, res) => {
    const name = decodeURIComponent(req.url!.slice(1))
    const body = await buffer(req).catch(() => null)
    const own = received.get(name)
    if (!body || !own) return void res.writeHead(404).end()
    const signature = `sha256=${createHmac('sha256', secrets.get(name) ?? '')
      .update(body)
      .digest('hex')}`
    if (req.headers['x-service-signature'] !== signature) forgedCount += 1
    const { id } = JSON.parse(String(body)) as { id: string }
    own.set(id, (own.get(id) ?? 0) + 1)
    deliveryCount += 1
    endpointBehaviors.find((behavior) => behavior.name === name)!.respond(req, res, random, own.size)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (name) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    secrets,
    received,
    get forgedCount() {
      return forgedCount
    },
    get deliveryCount() {
      return deliveryCount
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
