import type { Readable } from 'node:stream'
import { createConnectionPools } from '../egress/connection-pools.ts'
import { createDnsResolver, type HostLookup } from '../egress/dns-resolver.ts'
import { EgressRefusedError } from '../egress/egress-refused-error.ts'
import { isAllowlistedHost, isIpLiteral } from '../egress/endpoint-rules.ts'
import { createSsrfSafeConnector } from '../egress/ssrf-safe-connector.ts'
import { UpstreamError } from '../errors.ts'
import { MAX_PICTURE_BYTES, unreadablePicture } from './picture-resizer.ts'

export interface PictureLinkClientParts {
  /** Hosts (`localhost`, `10.1.2.3:9000`) that may be private. */
  allow: readonly string[]
  version: string
  /** Instead of the system's name servers. */
  resolve?: HostLookup
  /** Certificate authorities (PEM), instead of the usual ones. */
  ca?: string
}

export interface PictureLinkClient extends AsyncDisposable {
  /** What lies behind a link. Rejects with UpstreamError. */
  read(url: string, signal: AbortSignal): Promise<Buffer>
}

const MAX_REDIRECTS = 3

/**
 * Reads pictures that an ERP merely points to. A link may be anybody's text, so it is held to what webhook endpoints are: a public host by its
 * name, resolved, judged and connected to in one go, at each redirect anew. No credential goes along.
 */
export function createPictureLinkClient({ allow, version, resolve, ca }: PictureLinkClientParts): PictureLinkClient {
  const resolving = createDnsResolver()
  const rules = { ports: [], allow }
  const origins = createConnectionPools(
    createSsrfSafeConnector({ rules, resolve: resolve ?? resolving.resolve, ...(ca && { ca }) }),
  )
  const headers = { 'user-agent': `Forecourt/${version}`, accept: 'image/*', 'accept-encoding': 'identity' }

  /** The body, or where it is said to be instead. */
  async function once(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    if (!mayBeRead(url, allow)) throw unreadablePicture(`a link to ${url.host} is not followed`)
    const path = url.pathname + url.search
    const answer = await origins.of(url.origin).request({ method: 'GET', path, headers, signal })
    const { statusCode: status, body } = answer
    const location = [answer.headers.location].flat()[0]
    if (status === 200) return whole(body, Number(answer.headers['content-length'] ?? 0), url)
    body.on('error', () => {}).destroy()
    if (status >= 300 && status < 400 && location && URL.canParse(location, url)) return new URL(location, url)
    throw unreadablePicture(`${url.host} answered ${status}`)
  }

  return {
    async read(link, signal) {
      let at: URL = new URL(link)
      try {
        for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
          const found = await once(at, signal)
          if (!(found instanceof URL)) return found
          at = found
        }
      } catch (error) {
        throw failureOf(error, at, signal)
      }
      throw unreadablePicture(`${at.host} answered with one redirect too many`)
    },
    async [Symbol.asyncDispose]() {
      resolving[Symbol.dispose]()
      await origins[Symbol.asyncDispose]()
    },
  }
}

function mayBeRead({ protocol, hostname, port, username, password }: URL, allow: readonly string[]): boolean {
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  if (isAllowlistedHost({ protocol, hostname, port }, { ports: [], allow })) return true
  return port === '' && !isIpLiteral(hostname) && hostname.includes('.') && !hostname.endsWith('.')
}

async function whole(body: Readable, told: number, { host }: URL): Promise<Buffer> {
  const tooLong = () => unreadablePicture(`${host} answered with more than ${MAX_PICTURE_BYTES} bytes`)
  const chunks: Uint8Array[] = []
  let size = 0
  if (told > MAX_PICTURE_BYTES) {
    body.on('error', () => {}).destroy()
    throw tooLong()
  }
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_PICTURE_BYTES) throw tooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function failureOf(error: unknown, { host }: URL, signal: AbortSignal): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (signal.aborted) return new UpstreamError('timeout', `${host}: no picture in time`)
  if (error instanceof EgressRefusedError) {
    const why = error.refusal === 'dns' ? 'its name has no address' : 'its address is private'
    return unreadablePicture(`a link to ${host} is not followed: ${why}`)
  }
  // What answers nobody today may be gone for good: it is looked at again as rarely as what is no picture.
  const { code = 'ERR', message } = error as NodeJS.ErrnoException
  return unreadablePicture(`${host} cannot be read: ${code} ${message}`)
}
