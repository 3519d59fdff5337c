import type Router from '@koa/router'
import type { Mode } from '../../config/config.ts'
import { Problem, UpstreamError } from '../../errors.ts'
import type { Context } from '../../http/context.ts'
import { isNotModified } from '../../http/if-none-match.ts'
import { isTransientFailure, type PictureLoader } from '../../media/picture-loader.ts'
import { type PictureSize, type PictureUrlSigner, pictureSizes } from '../../media/picture-url-signer.ts'
import { SectionFailed, successTrace } from '../../sections/section.ts'
import type { CallTrace } from '../../upstream/call-trace.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'

export interface PictureRouteDeps {
  addresses: PictureUrlSigner
  pictures: PictureLoader
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
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
export function registerPictures(router: Router, { addresses, pictures, upstreams, count }: PictureRouteDeps): void {
  router.get('/media/:merchant/:mode/:source/:signed/:file', async (context) => {
    const ctx = context as unknown as Context & { params: Params }
    ctx.state.route = 'media'
    ctx.set('X-Content-Type-Options', 'nosniff')
    const { merchant, mode, source, signed, file } = ctx.params
    const size = sizeOf(file)
    const name =
      isMode(mode) && upstreams.forTenant(merchant, mode) && addresses.read({ merchant, mode }, source, signed)
    if (!size || !name) {
      count('unknown')
      throw new Problem('not_found')
    }
    ctx.state.mode = name.mode
    const calls = new Set<CallTrace>()
    ctx.state.calls = calls
    try {
      const { bytes, etag, outcome } = await pictures.load(name, size, { requestId: ctx.state.requestId, calls })
      count(outcome)
      ctx.state.cache = outcome === 'kept' ? 'hit' : 'miss'
      if (outcome === 'made') wasMade(ctx, name.merchant)
      send(ctx, bytes, etag)
    } catch (error) {
      // One that cannot be read, or lies elsewhere, says nothing of the back office.
      if (error instanceof UpstreamError && error.system) ctx.state.tenant = name.merchant
      count(error instanceof UpstreamError ? error.failure : 'unknown')
      throw error instanceof UpstreamError
        ? new SectionFailed('picture', error, { told: !isTransientFailure(error) })
        : error
    }
  })
}

/** The merchant is told of those that its back office was asked for: one from the disk says nothing of it. */
function wasMade({ state }: Context, merchant: string): void {
  state.tenant = merchant
  state.traces = [successTrace('picture', 'inventory', performance.now() - state.startedAt)]
}

function send(ctx: Context, bytes: Buffer, etag: string): void {
  ctx.remove('Vary')
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': FOR_EVER,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
  })
  if (isNotModified(ctx.req.headers['if-none-match'], etag)) {
    ctx.status = 304
    return
  }
  ctx.set('Content-Type', 'image/webp')
  ctx.body = bytes
}

const isMode = (mode: string): mode is Mode => mode === 'live' || mode === 'sandbox'
const sizeOf = (file: string): PictureSize | undefined => pictureSizes.find((size) => file === `${size}.webp`)
