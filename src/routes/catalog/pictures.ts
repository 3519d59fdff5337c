import type Router from '@koa/router'
import Type from 'typebox'
import { ProblemBody } from '../../contract/problem.ts'
import { ModeSchema } from '../../contract/schema-parts.ts'
import { createNotFound, UpstreamError } from '../../errors.ts'
import type { Context } from '../../http/context.ts'
import type { CollectSchema } from '../../http/openapi/collect-schema.ts'
import { referToResponses } from '../../http/openapi/common-responses.ts'
import { toProblemContent } from '../../http/openapi/problem-content.ts'
import { isNotModified } from '../../http/responses/if-none-match.ts'
import { sendResponse } from '../../http/responses/send-response.ts'
import { isTransientFailure, type PictureLoader } from '../../media/picture-loader.ts'
import { type PictureSize, type PictureUrlSigner, pictureSizes } from '../../media/picture-url-signer.ts'
import { SectionFailed } from '../../sections/section-errors.ts'
import { successTrace } from '../../sections/section-trace.ts'
import { type Mode, modes } from '../../tenant.ts'
import type { CallTrace } from '../../upstream/request/call-trace.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'

export interface PictureRouteDeps {
  urlSigner: PictureUrlSigner
  pictures: PictureLoader
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
  /** Notified of the result of each request: kept, made, unknown, or the failure of the back office. */
  countOutcome(outcome: string): void
}

interface PictureParams {
  merchant: string
  mode: string
  source: string
  signed: string
  file: string
}

/** The URL contains the version of the content, so a changed picture has another URL. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable'

/** Serves pictures to browsers and CDNs without a key. A URL with a wrong signature is rejected before any other work. */
export function registerPictures(router: Router, deps: PictureRouteDeps): void {
  const { pictures, countOutcome } = deps
  router.get('/media/:merchant/:mode/:source/:signed/:file', async (context) => {
    const ctx = context as unknown as Context & { params: PictureParams }
    ctx.state.route = 'media'
    ctx.set('X-Content-Type-Options', 'nosniff')
    const picture = verifyUrl(ctx.params, deps)
    const size = toSize(ctx.params.file)
    if (!size || !picture) {
      countOutcome('unknown')
      throw createNotFound('picture')
    }
    ctx.state.mode = picture.mode
    const calls = new Set<CallTrace>()
    ctx.state.calls = calls
    try {
      const { bytes, etag, outcome } = await pictures.load(picture, size, { requestId: ctx.state.requestId, calls })
      countOutcome(outcome)
      ctx.state.cacheStatus = outcome === 'kept' ? 'hit' : 'miss'
      if (outcome === 'made') traceSuccess(ctx, picture.merchant)
      sendPicture(ctx, bytes, etag)
    } catch (error) {
      // A picture that is unreadable, or hosted elsewhere, is no failure of the back office.
      if (error instanceof UpstreamError && error.system) ctx.state.merchant = picture.merchant
      countOutcome(error instanceof UpstreamError ? error.failure : 'unknown')
      throw error instanceof UpstreamError
        ? new SectionFailed('picture', error, { isLogged: !isTransientFailure(error) })
        : error
    }
  })
}

function verifyUrl({ merchant, mode, source, signed }: PictureParams, { urlSigner, upstreams }: PictureRouteDeps) {
  if (!isMode(mode) || !upstreams.forTenant({ merchant, mode })) return null
  return urlSigner.verify({ merchant, mode }, source, signed)
}

/** Counts a picture that was read from the back office for its merchant; a cached one involves no system. */
function traceSuccess({ state }: Context, merchant: string): void {
  state.merchant = merchant
  state.sectionTraces = [successTrace('picture', 'inventory', performance.now() - state.startedAt)]
}

function sendPicture(ctx: Context, bytes: Buffer, etag: string): void {
  ctx.remove('Vary')
  const notModified = isNotModified(ctx.req.headers['if-none-match'], etag)
  sendResponse(ctx, {
    status: notModified ? 304 : 200,
    body: notModified ? null : bytes,
    contentType: 'image/webp',
    cacheControl: CACHE_FOREVER,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etag,
    },
  })
}

const isMode = (mode: string): mode is Mode => (modes as readonly string[]).includes(mode)
const toSize = (file: string): PictureSize | undefined => pictureSizes.find((size) => file === `${size}.webp`)

const PictureSizeSchema = Type.Enum([...pictureSizes], { $id: 'PictureSize' })

/** Returns the OpenAPI path item of the URLs in `thumb_url` and `large_url`. */
export function createPicturePathItem(collect: CollectSchema) {
  const problem = (description: string) => ({ description, content: toProblemContent(collect(ProblemBody)) })
  const parameter = (name: string, description: string, schema: object = { type: 'string' }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
  })
  return {
    get: {
      operationId: 'picture',
      summary: 'Get a picture of a product, as WebP',
      description:
        'Forecourt creates these URLs and returns them as `thumb_url` and `large_url`; other URLs get 404. The content of a URL never changes.',
      tags: ['Catalog'],
      security: [],
      parameters: [
        parameter('merchant', 'The merchant'),
        parameter('mode', 'The mode of the key that read the URL', collect(ModeSchema)),
        parameter('source', 'Identifies the picture'),
        parameter('version', 'The version of its content, and a signature'),
        parameter('size', '160 or 800 pixels on the longer side', collect(PictureSizeSchema)),
      ],
      responses: {
        200: { description: 'OK', content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } } },
        304: { description: 'Not modified: If-None-Match contains the current ETag' },
        ...referToResponses([400]),
        404: problem('The picture does not exist, or has changed and has another URL'),
        ...referToResponses([431, 500]),
        502: problem('The back office returned an error, or something other than a picture'),
        503: problem('The back office cannot be reached, its circuit is open, or too many pictures are waiting'),
        504: problem('The back office did not respond in time'),
      },
    },
  }
}
