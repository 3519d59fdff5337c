import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import type { SectionTrace } from '../sections/section-trace.ts'
import { redactUrl } from '../security/redact-url.ts'

/** Returns the log line of a request after its `start`. It is built from known fields, none of which is a header, a body or a token. */
export function formatAccessLogLine(request: FinishedRequest, start: string): string {
  const { tenant, keyId, code, sections, traceId } = request
  return (
    `${start},"msg":"request","request_id":"${request.requestId}","mode":"${request.mode}"` +
    `,"tenant":${tenant === null ? null : `"${tenant}"`},"key_id":${keyId === null ? null : `"${keyId}"`}` +
    `,"client_address":"${request.clientAddress}"` +
    `,"method":"${request.method}","url":${quoteUrl(request.url)},"route":"${request.route}","status":${request.status}` +
    `,"ms":${request.ms.toFixed(2)},"cache":"${request.cache}"` +
    (code === undefined ? '' : `,"code":"${code}"`) +
    (sections === undefined ? '' : `,"sections":[${sections.map(formatSection).join(',')}]`) +
    (traceId === undefined ? '' : `,"trace_id":"${traceId}"`) +
    '}'
  )
}

/** Names and outcomes are words of ours, which need no quoting. */
const formatSection = ({ name, outcome, ms }: SectionTrace) => `{"name":"${name}","outcome":"${outcome}","ms":${ms}}`

/** Characters that JSON does not escape. */
const PLAIN = /^[\w\-./?=&%:+~,@!*]*$/

function quoteUrl(requestUrl: string): string {
  const url = redactUrl(requestUrl)
  return url.length <= 512 && PLAIN.test(url) ? `"${url}"` : JSON.stringify(url.slice(0, 512))
}
