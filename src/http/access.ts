import type { Log } from '../operations/log.ts'
import type { Metrics } from '../operations/metrics.ts'
import type { SectionTrace } from '../sections.ts'
import type { Middleware } from './state.ts'

/** What one line of the access log tells. */
export interface Access {
  requestId: string
  mode: string
  tenant: string | null
  keyId: string | null
  method: string
  url: string
  route: string
  status: number
  ms: number
  cache: string
  code?: string | undefined
  sections?: readonly SectionTrace[] | undefined
}

export type Observe = (access: Access) => void

const INFO = 30

/** Counts a request and writes its line: built here from known fields, none of which is a header, a body or a token. */
export function observer(log: Log, metrics: Metrics): Observe {
  return (access) => {
    metrics.count(access.route, access.status, access.cache, access.ms)
    log.line(accessLine(access, Date.now()))
  }
}

export function accessLine(access: Access, time: number): string {
  const { tenant, keyId, code, sections } = access
  return (
    `{"level":${INFO},"time":${time},"msg":"request","request_id":"${access.requestId}","mode":"${access.mode}"` +
    `,"tenant":${tenant === null ? null : `"${tenant}"`},"key_id":${keyId === null ? null : `"${keyId}"`}` +
    `,"method":"${access.method}","url":${quoted(access.url)},"route":"${access.route}","status":${access.status}` +
    `,"ms":${access.ms.toFixed(2)},"cache":"${access.cache}"` +
    (code === undefined ? '' : `,"code":"${code}"`) +
    (sections === undefined ? '' : `,"sections":${JSON.stringify(sections)}`) +
    '}'
  )
}

const PLAIN = /^[\w\-./?=&%:+~,@!*]*$/

/** A key that was put into an address by mistake is as secret there as anywhere. */
const KEY = /(svc_(?:live|test)_(?:pub|sec)_)\w+/g

function quoted(asked: string): string {
  const url = asked.includes('svc_') ? asked.replace(KEY, '$1[redacted]') : asked
  return url.length <= 512 && PLAIN.test(url) ? `"${url}"` : JSON.stringify(url.slice(0, 512))
}

/** One line a request, when its answer has been handed to the socket or its reader has gone. */
export function access(observe: Observe): Middleware {
  return async (ctx, next) => {
    const { state } = ctx
    ctx.res.once('close', () => {
      observe({
        requestId: state.requestId,
        mode: state.mode,
        tenant: state.known?.record.tenant_id ?? null,
        keyId: state.known?.record.key_id ?? null,
        method: ctx.method,
        url: ctx.url,
        route: state.route ?? 'none',
        status: ctx.res.writableFinished ? ctx.res.statusCode : 499,
        ms: performance.now() - state.startedAt,
        cache: state.cache ?? 'none',
        code: state.code,
        sections: state.traces,
      })
    })
    await next()
  }
}
