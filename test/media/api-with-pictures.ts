import type { ServerResponse } from 'node:http'
import { type Api, type ApiOptions, startApi } from '../support/api.ts'
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type HttpRequestOptions, type Reply, sendHttpRequest } from '../support/send-http-request.ts'

export interface ApiWithPictures extends AsyncDisposable {
  api: Api
  inventory: ScriptedUpstream
  /** The pictures of the inventory, by media_id. A function sends its own response. */
  pictures: Map<string, { content_id: string; bytes: Buffer | ((response: ServerResponse) => void) }>
  /** The path of a picture, for a storefront of that merchant and mode. */
  path(id: string, of?: { merchant?: string; mode?: 'live' | 'sandbox'; size?: 'thumb' | 'large' }): Promise<string>
  get(path: string, options?: HttpRequestOptions): Promise<Reply>
  /** The number of reads of a picture's content. */
  countFetches(id?: string): number
}

const CONTENT_PATH = /\/media\/([^/]+)\/content$/

/** Starts the API with a back office whose pictures need a token. Merchants `shop` and `other`; each tenant has its own account. */
export async function startApiWithPictures(apiOptions: ApiOptions = {}, concurrency = 32): Promise<ApiWithPictures> {
  const pictures: ApiWithPictures['pictures'] = new Map()
  const inventory = await startScriptedUpstream((response, request) => respond(response, request, pictures))
  const system = (account: string) => ({
    adapter: 'rest',
    address: `${inventory.address}/${account}`,
    settings: { token: 'sandbox' },
    limits: { timeoutMs: 10_000, concurrency },
    maxResponseBytes: 16 * 1_048_576,
  })
  const api = await startApi({
    merchants: () =>
      ['shop', 'other'].map((merchant) => ({
        merchant,
        live: { inventory: system(`${merchant}-live`) },
        sandbox: { inventory: system(`${merchant}-sandbox`) },
      })),
    ...apiOptions,
  })
  const get = (path: string, options?: HttpRequestOptions) => sendHttpRequest(api.address, path, options)
  return {
    api,
    inventory,
    pictures,
    get,
    async path(id, { merchant = 'shop', mode = 'live', size = 'thumb' } = {}) {
      const key = await api.key({ merchant, mode })
      const { body } = await get(`/v1/products/P-${id}`, { headers: { authorization: `Bearer ${key}` } })
      const { pathname, search } = new URL(body.media[0][`${size}_url`])
      return pathname + search
    },
    countFetches: (id) =>
      inventory.requests.filter(({ path }) => CONTENT_PATH.test(path) && (!id || CONTENT_PATH.exec(path)![1] === id))
        .length,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await inventory.close()
    },
  }
}

/** Every SKU P-x is a product with picture x. */
function respond(
  response: ServerResponse,
  { path, body, headers }: ReceivedRequest,
  pictures: ApiWithPictures['pictures'],
): unknown {
  const json = (value: unknown, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (headers.authorization !== 'Bearer sandbox') return json({ error: 'unauthorized' }, 401)
  const [, id] = CONTENT_PATH.exec(path) ?? []
  if (id === undefined) {
    const { skus } = JSON.parse(body) as { skus: string[] }
    return json({ data: skus.map((sku) => ({ sku, product: productOf(sku, pictures) })) })
  }
  const picture = pictures.get(id)
  if (!picture) return json({ error: 'not_found' }, 404)
  if (typeof picture.bytes === 'function') return picture.bytes(response)
  response.writeHead(200, { etag: `"${picture.content_id}"`, 'content-type': 'image/jpeg' }).end(picture.bytes)
}

function productOf(sku: string, pictures: ApiWithPictures['pictures']) {
  const media_id = sku.slice(2)
  const content_id = pictures.get(media_id)?.content_id
  const rest = { name: sku, uom: 'each', active: true, updated_at: '2026-11-21T00:00:00Z' }
  return { ...rest, media: content_id ? [{ media_id, content_id }] : [] }
}
