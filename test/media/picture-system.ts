import type { ServerResponse } from 'node:http'
import { type Api, type ApiOptions, startApi } from '../support/api.ts'
import { type ExchangeOptions, exchange, type Reply } from '../support/http-exchange.ts'
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'

export interface PictureShop extends AsyncDisposable {
  api: Api
  inventory: ScriptedUpstream
  /** What the inventory keeps: by media_id. A function answers as it likes. */
  pictures: Map<string, { content_id: string; bytes: Buffer | ((response: ServerResponse) => void) }>
  /** The path of a picture, as a storefront with a key of that merchant and mode reads it. */
  path(id: string, of?: { merchant?: string; mode?: 'live' | 'sandbox'; size?: 'thumb' | 'large' }): Promise<string>
  get(path: string, sent?: ExchangeOptions): Promise<Reply>
  /** How often the content of a picture was fetched. */
  fetched(id?: string): number
}

const content = /\/media\/([^/]+)\/content$/

/** The API over a back office that keeps pictures behind its token; merchants `shop` and `other`, each mode with an account of its own there. */
export async function pictureShop(options: ApiOptions = {}, concurrency = 32): Promise<PictureShop> {
  const pictures: PictureShop['pictures'] = new Map()
  const inventory = await startScriptedUpstream((response, seen) => answer(response, seen, pictures))
  const system = (account: string) => ({
    ...{ adapter: 'rest', address: `${inventory.address}/${account}`, settings: { token: 'sandbox' } },
    ...{ limits: { timeoutMs: 10_000, concurrency }, maxResponseBytes: 16 * 1_048_576 },
  })
  const api = await startApi({
    merchants: () =>
      ['shop', 'other'].map((merchant) => ({
        merchant,
        live: { inventory: system(`${merchant}-live`) },
        sandbox: { inventory: system(`${merchant}-sandbox`) },
      })),
    ...options,
  })
  const get = (path: string, sent?: ExchangeOptions) => exchange(api.address, path, sent)
  return {
    ...{ api, inventory, pictures, get },
    async path(id, { merchant = 'shop', mode = 'live', size = 'thumb' } = {}) {
      const key = await api.key({ merchant, mode })
      const { body } = await get(`/v1/products/P-${id}`, { headers: { authorization: `Bearer ${key}` } })
      const { pathname, search } = new URL(body.media[0][`${size}_url`])
      return pathname + search
    },
    fetched: (id) =>
      inventory.seen.filter(({ path }) => content.test(path) && (!id || content.exec(path)![1] === id)).length,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await inventory.close()
    },
  }
}

/** Every SKU P-x is a product with the picture x. */
function answer(
  response: ServerResponse,
  { path, body, headers }: ReceivedRequest,
  pictures: PictureShop['pictures'],
): unknown {
  const json = (value: unknown, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (headers.authorization !== 'Bearer sandbox') return json({ error: 'unauthorized' }, 401)
  const [, id] = content.exec(path) ?? []
  if (id === undefined) {
    const { skus } = JSON.parse(body) as { skus: string[] }
    return json({ data: skus.map((sku) => ({ sku, product: productOf(sku, pictures) })) })
  }
  const picture = pictures.get(id)
  if (!picture) return json({ error: 'not_found' }, 404)
  if (typeof picture.bytes === 'function') return picture.bytes(response)
  response.writeHead(200, { etag: `"${picture.content_id}"`, 'content-type': 'image/jpeg' }).end(picture.bytes)
}

function productOf(sku: string, pictures: PictureShop['pictures']) {
  const media_id = sku.slice(2)
  const content_id = pictures.get(media_id)?.content_id
  const rest = { name: sku, uom: 'each', active: true, updated_at: '2026-11-21T00:00:00Z' }
  return { ...rest, media: content_id ? [{ media_id, content_id }] : [] }
}
