import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import type { SectionTrace } from '../sections/section-trace.ts'
import { redactApiKeys } from '../security/redact.ts'

/** Returns the log line of a request after its `start`. It is built from known fields, none of which is a header, a body or a token. */
export function formatAccessLogLine(outcome: RequestOutcome, start: string): string {
  const { tenant, keyId, code, sections, traceId } = outcome
  return (
    `${start},"msg":"request","request_id":"${outcome.requestId}","mode":"${outcome.mode}"` +
    `,"tenant":${tenant === null ? null : `"${tenant}"`},"key_id":${keyId === null ? null : `"${keyId}"`}` +
    `,"client_address":"${outcome.clientAddress}"` +
    `,"method":"${outcome.method}","url":${quoteUrl(outcome.url)},"route":"${outcome.route}","status":${outcome.status}` +
    `,"ms":${outcome.ms.toFixed(2)},"cache":"${outcome.cache}"` +
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
  const url = redactApiKeys(requestUrl)
  return url.length <= 512 && PLAIN.test(url) ? `"${url}"` : JSON.stringify(url.slice(0, 512))
}
