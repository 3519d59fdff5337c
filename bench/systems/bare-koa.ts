import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { type ResponseSample, sampleBody } from './captured-response.ts'
import { runAsChild } from './run-as-child.ts'

/** Koa in its usual style: headers one at a time, then the body. */
runAsChild(async (sample: ResponseSample) => {
  const body = sample.status === 304 ? null : sampleBody(sample)
  const app = new Koa()
  app.use((ctx) => {
    ctx.status = sample.status
    for (const [name, value] of sample.headers) ctx.set(name, value)
    if (body !== null) ctx.body = body
  })
  const server = createServer({ keepAliveTimeout: 65_000 }, app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { ready: { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }
})
