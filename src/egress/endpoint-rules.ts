import { isIP } from 'node:net'
import type { WebhooksConfig } from '../config/config.ts'

export type EndpointRules = Pick<WebhooksConfig, 'ports' | 'allow'>

/** A URL with a host, without characters that a URL parser would drop or convert. */
const PLAIN = /^https?:\/\/[^\s\\/?#\p{Cc}][^\s\\\p{Cc}]*$/iu
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Returns what is wrong with an endpoint's URL, for its owner; `null` when it is allowed. Its addresses are checked when it is connected to. */
export function findUrlMistake(url: string, rules: EndpointRules): string | null {
  if (!URL.canParse(url) || /[\s\p{Cc}]/u.test(url)) return 'it is not a valid URL'
  if (!/^https?:/i.test(url)) return 'it does not begin with https'
  if (!PLAIN.test(url)) return 'it is not a valid URL'
  const { protocol, hostname, port, username, password } = new URL(url)
  if (username !== '' || password !== '') return 'it contains a user name or password'
  if (url.includes('#')) return 'it contains a fragment (#)'
  if (isAllowlistedHost({ protocol, hostname, port }, rules)) return null
  if (protocol !== 'https:') return 'it does not begin with https'
  if (isIpLiteral(hostname)) return 'its host is an IP address, not a name'
  if (!hostname.includes('.') || hostname.endsWith('.')) return 'its host name has no domain, or ends with a dot'
  return rules.ports.includes(Number(port || 443)) ? null : 'its port is not allowed'
}

/** Returns whether the configuration allows this host, or this host and port, to be private. */
export function isAllowlistedHost(
  { protocol, hostname, port }: { protocol: string; hostname: string; port?: string | null },
  { allow }: EndpointRules,
): boolean {
  const host = withoutBrackets(hostname)
  const effectivePort = port || DEFAULT_PORTS[protocol]
  const names = [host, `${host}:${effectivePort}`, `[${host}]`, `[${host}]:${effectivePort}`]
  return allow.some((name) => names.includes(name.toLowerCase()))
}

/** `hostname`: from the URL parser, which normalizes every notation of an address. */
export const isIpLiteral = (hostname: string): boolean => isIP(withoutBrackets(hostname)) !== 0

const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
