import type { Readable } from 'node:stream'
import { createConnectionPools } from '../egress/connection-pools.ts'
import { createDnsResolver, type HostLookup } from '../egress/dns-resolver.ts'
import { EgressRefusedError } from '../egress/egress-refused-error.ts'
import { isAllowlistedHost, isIpLiteral } from '../egress/endpoint-rules.ts'
import { createSsrfSafeConnector } from '../egress/ssrf-safe-connector.ts'
import { UpstreamError } from '../errors.ts'
import { MAX_PICTURE_BYTES, unreadablePicture } from './picture-resizer.ts'

export interface PictureLinkClientParts {
  /** Hosts (`localhost`, `10.1.2.3:9000`) that may have private addresses. */
  allow: readonly string[]
  version: string
  /** Replaces the system's DNS resolver. */
  resolve?: HostLookup
  /** Certificate authorities (PEM) in place of the default ones. */
  ca?: string
}

export interface PictureLinkClient extends AsyncDisposable {
  /** Downloads the picture of a link. Rejects with UpstreamError. */
  read(url: string, signal: AbortSignal): Promise<Buffer>
}

const MAX_REDIRECTS = 3

/**
 * Downloads pictures that an ERP stores as links. A link is untrusted, so it follows the rules of webhook endpoints: a public host name,
 * resolved, checked and connected to in one step, again for each redirect. It sends no credentials.
 */
export function createPictureLinkClient({ allow, version, resolve, ca }: PictureLinkClientParts): PictureLinkClient {
  const dnsResolver = createDnsResolver()
  const rules = { ports: [], allow }
  const pools = createConnectionPools(
    createSsrfSafeConnector({ rules, resolve: resolve ?? dnsResolver.resolve, ...(ca && { ca }) }),
  )
  const headers = { 'user-agent': `Forecourt/${version}`, accept: 'image/*', 'accept-encoding': 'identity' }

  /** Returns the body, or the target of a redirect. */
  async function fetchOnce(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    if (!isAllowedLink(url, allow)) throw unreadablePicture(`links to ${url.host} are not allowed`)
    const path = url.pathname + url.search
    const response = await pools.of(url.origin).request({ method: 'GET', path, headers, signal })
    const { statusCode: status, body } = response
    const location = [response.headers.location].flat()[0]
    if (status === 200) return readBody(body, Number(response.headers['content-length'] ?? 0), url)
    body.on('error', () => {}).destroy()
    if (status >= 300 && status < 400 && location && URL.canParse(location, url)) return new URL(location, url)
    throw unreadablePicture(`${url.host} responded with ${status}`)
  }

  return {
    async read(link, signal) {
      let currentUrl: URL = new URL(link)
      try {
        for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
          const result = await fetchOnce(currentUrl, signal)
          if (!(result instanceof URL)) return result
          currentUrl = result
        }
      } catch (error) {
        throw toUpstreamError(error, currentUrl, signal)
      }
      throw unreadablePicture(`${currentUrl.host} redirected too often`)
    },
    async [Symbol.asyncDispose]() {
      dnsResolver[Symbol.dispose]()
      await pools[Symbol.asyncDispose]()
    },
  }
}

function isAllowedLink({ protocol, hostname, port, username, password }: URL, allow: readonly string[]): boolean {
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  if (isAllowlistedHost({ protocol, hostname, port }, { ports: [], allow })) return true
  return port === '' && !isIpLiteral(hostname) && hostname.includes('.') && !hostname.endsWith('.')
}

async function readBody(body: Readable, contentLength: number, { host }: URL): Promise<Buffer> {
  const tooLarge = () => unreadablePicture(`${host} sent more than ${MAX_PICTURE_BYTES} bytes`)
  const chunks: Uint8Array[] = []
  let size = 0
  if (contentLength > MAX_PICTURE_BYTES) {
    body.on('error', () => {}).destroy()
    throw tooLarge()
  }
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_PICTURE_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toUpstreamError(error: unknown, { host }: URL, signal: AbortSignal): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (signal.aborted) return new UpstreamError('timeout', `${host} did not send the picture in time`)
  if (error instanceof EgressRefusedError) {
    const reason = error.refusal === 'dns' ? 'the host name cannot be resolved' : 'its address is private'
    return unreadablePicture(`links to ${host} are not allowed: ${reason}`)
  }
  // An unreachable host is retried as rarely as an unreadable picture: it may be gone for good.
  const { code = 'ERR', message } = error as NodeJS.ErrnoException
  return unreadablePicture(`${host} cannot be reached: ${code} ${message}`)
}
