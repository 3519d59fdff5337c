// Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=8000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const TOLERANCE_SECONDS = 300
const MOST_BYTES = 1_048_576

/** Over the bytes as they came, before anything is parsed. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** In earnest: a table with a unique column, written in the same transaction as what the event changes. */
const seen = new Set()

function take(event) {
  if (seen.has(event.id)) return
  seen.add(event.id)
  process.stdout.write(`${event.type} ${event.resource.id} #${event.sequence}\n`)
}

async function bodyOf(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  if (body === null || !isGenuine(request.headers, body)) return response.writeHead(400).end()
  take(JSON.parse(body))
  response.writeHead(204).end()
})

server.listen(Number(process.env.PORT ?? 8_000), '127.0.0.1')
