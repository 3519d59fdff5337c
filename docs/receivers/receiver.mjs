// Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=8000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = keyOf(process.env.WEBHOOK_SECRET ?? '')
const TOLERANCE_SECONDS = 300
const MOST_BYTES = 1_048_576

/** Decodes the signing secret. Refuses an empty key, because anybody could sign with it. */
function keyOf(secret) {
  const decoded = Buffer.from(secret.slice('whsec_'.length), 'base64')
  if (decoded.length > 0 && secret === `whsec_${decoded.toString('base64')}`) return decoded
  throw new Error('WEBHOOK_SECRET must be the signing secret: whsec_ and base64')
}

/** Verifies the signature over the raw bytes of the body, before anything parses them. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** In production, use a table with a unique column, and write to it in the same transaction as the changes of the event. */
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
    if (bytes > MOST_BYTES) throw new Error('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function statusFor(request) {
  if (Number(request.headers['content-length']) > MOST_BYTES) return 413
  const body = await bodyOf(request)
  if (!isGenuine(request.headers, body)) return 400
  take(JSON.parse(body))
  return 204
}

const server = createServer(async (request, response) => {
  // A sender that disconnects midway is an error too.
  const status = await statusFor(request).catch(() => 400)
  response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end()
})

server.listen(Number(process.env.PORT ?? 8_000), '127.0.0.1')
