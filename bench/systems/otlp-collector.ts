import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runAsChild } from './run-as-child.ts'

/** An OTLP collector that counts batches and bytes, and reads none of them. */
runAsChild(async () => {
  let batches = 0
  let bytes = 0
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    req.on('end', () => {
      batches += 1
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  return { ready: { endpoint }, answer: () => ({ batches, bytes }) }
})
