import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ResponseSample, sampleBody } from './captured-response.ts'
import { runAsChild } from './run-as-child.ts'

/** The baseline: node:http alone, with one `writeHead` of prepared headers and one `end`. */
runAsChild(async (sample: ResponseSample) => {
  const headers = sample.headers.flat()
  const body = sample.status === 304 ? undefined : sampleBody(sample)
  const server = createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
    res.writeHead(sample.status, headers)
    res.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { ready: { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }
})
