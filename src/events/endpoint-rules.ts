import type { WebhooksConfig } from '../config.ts'

export type EndpointRules = Pick<WebhooksConfig, 'ports' | 'allow'>

/** What is wrong with an endpoint's URL, for its owner to read; `null`: it may be tried. Its addresses are judged when it is connected to. */
export function urlMistake(url: string, { ports, allow }: EndpointRules): string | null {
  if (!URL.canParse(url)) return 'not a URL'
  const { protocol, hostname, port } = new URL(url)
  if (allow.includes(hostname) || allow.includes(`${hostname}:${port}`)) return null
  if (protocol !== 'https:') return 'only https'
  return ports.includes(Number(port || 443)) ? null : 'not on that port'
}
