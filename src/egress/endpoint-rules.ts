import { isIP } from 'node:net'
import type { WebhooksConfig } from '../config/config.ts'

export type EndpointRules = Pick<WebhooksConfig, 'ports' | 'allow'>

/** Begins as a URL with a host does, and has nothing that a parser would leave out or turn round. */
const PLAIN = /^https?:\/\/[^\s\\/?#\p{Cc}][^\s\\\p{Cc}]*$/iu
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** What is wrong with an endpoint's URL, for its owner to read; `null`: it may be tried. Its addresses are judged when it is connected to. */
export function findUrlMistake(url: string, rules: EndpointRules): string | null {
  if (!URL.canParse(url) || /[\s\p{Cc}]/u.test(url)) return 'not a URL'
  if (!/^https?:/i.test(url)) return 'only https'
  if (!PLAIN.test(url)) return 'not a URL'
  const { protocol, hostname, port, username, password } = new URL(url)
  if (username !== '' || password !== '') return 'no user name or password in it'
  if (url.includes('#')) return 'no fragment'
  if (isAllowlistedHost({ protocol, hostname, port }, rules)) return null
  if (protocol !== 'https:') return 'only https'
  if (isIpLiteral(hostname)) return 'a host name, not an address'
  if (!hostname.includes('.') || hostname.endsWith('.')) return 'a full host name'
  return rules.ports.includes(Number(port || 443)) ? null : 'not on that port'
}

/** Whether the configuration names this host, or this host and port, as one that may be private. */
export function isAllowlistedHost(
  { protocol, hostname, port }: { protocol: string; hostname: string; port?: string | null },
  { allow }: EndpointRules,
): boolean {
  const host = bare(hostname)
  const at = port || DEFAULT_PORTS[protocol]
  const names = [host, `${host}:${at}`, `[${host}]`, `[${host}]:${at}`]
  return allow.some((name) => names.includes(name.toLowerCase()))
}

/** A URL's parser has turned each way of writing an address into the usual one. */
export const isIpLiteral = (hostname: string): boolean => isIP(bare(hostname)) !== 0

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
