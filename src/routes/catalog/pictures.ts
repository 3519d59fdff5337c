import type Router from '@koa/router'
import type { Mode } from '../../config/config.ts'
import { Problem, UpstreamError } from '../../errors.ts'
import { matches } from '../../http/if-none-match.ts'
import type { Context } from '../../http/context.ts'
import { type Addresses, type Size, sizes } from '../../media/picture-url-signer.ts'
import { isPassing, type Pictures } from '../../media/picture-loader.ts'
import { SectionFailed, wellTrace } from '../../sections/section.ts'
import type { CallTrace } from '../../upstream/call-trace.ts'
import type { Offices } from '../../upstream/upstream-registry.ts'

export interface MediaParts {
  addresses: Addresses
  pictures: Pictures
  offices: Pick<Offices, 'of'>
  /** Told how each request ended: kept, made, unknown, or the failure of the back office. */
  count(outcome: string): void
}

interface Params {
  merchant: string
  mode: string
  source: string
  signed: string
  file: string
}

/** What stands under an address never changes: another content has another address. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Pictures for browsers and CDNs, without a key. An address that was not signed here costs nothing but the look at it. */
export function media(router: Router, { addresses, pictures, offices, count }: MediaParts): void {
  router.get('/media/:merchant/:mode/:source/:signed/:file', async (context) => {
    const ctx = context as unknown as Context & { params: Params }
    ctx.state.route = 'media'
    ctx.set('X-Content-Type-Options', 'nosniff')
    const { merchant, mode, source, signed, file } = ctx.params
    const size = sizeOf(file)
    const name = isMode(mode) && offices.of(merchant, mode) && addresses.read({ merchant, mode }, source, signed)
    if (!size || !name) {
      count('unknown')
      throw new Problem('not_found')
    }
    ctx.state.mode = name.mode
    const calls = new Set<CallTrace>()
    ctx.state.calls = calls
    try {
      const { bytes, etag, outcome } = await pictures.picture(name, size, { requestId: ctx.state.requestId, calls })
      count(outcome)
      ctx.state.cache = outcome === 'kept' ? 'hit' : 'miss'
      if (outcome === 'made') wasMade(ctx, name.merchant)
      send(ctx, bytes, etag)
    } catch (error) {
      // One that cannot be read, or lies elsewhere, says nothing of the back office.
      if (error instanceof UpstreamError && error.system) ctx.state.tenant = name.merchant
      count(error instanceof UpstreamError ? error.failure : 'unknown')
      throw error instanceof UpstreamError ? new SectionFailed('picture', error, { told: !isPassing(error) }) : error
    }
  })
}

/** The merchant is told of those that its back office was asked for: one from the disk says nothing of it. */
function wasMade({ state }: Context, merchant: string): void {
  state.tenant = merchant
  state.traces = [wellTrace('picture', 'inventory', performance.now() - state.startedAt)]
}

function send(ctx: Context, bytes: Buffer, etag: string): void {
  ctx.remove('Vary')
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': FOR_EVER,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
  })
  if (matches(ctx.req.headers['if-none-match'], etag)) {
    ctx.status = 304
    return
  }
  ctx.set('Content-Type', 'image/webp')
  ctx.body = bytes
}

const isMode = (mode: string): mode is Mode => mode === 'live' || mode === 'sandbox'
const sizeOf = (file: string): Size | undefined => sizes.find((size) => file === `${size}.webp`)
