import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Picture } from '../../../src/ports/picture.ts'
import { OdooDatetime, OdooId, OdooText, parseRecordId } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import { galleryPictureKey, productPictureKey } from './picture-keys.ts'

const Pictures = foundShape(Type.Object({ id: OdooId, write_date: OdooDatetime, image_1920: OdooText }))

const productPictures = { model: 'product.product', filter: [['sale_ok', '=', true]], toKey: productPictureKey }
const galleryPictures = { model: 'product.image', filter: [], toKey: galleryPictureKey }

/** Returns a function that reads one picture with its content; `null` for one that no product on sale has. */
export function createPictureReader(rpc: Rpc): (source: string, call: Call) => Promise<Picture | null> {
  return async (source, call) => {
    const isGallery = source.startsWith('g')
    const kind = isGallery ? galleryPictures : productPictures
    const id = parseRecordId(isGallery ? source.slice(1) : source)
    if (id === null) return null
    const read = (isSizeOnly: boolean) =>
      rpc.search(
        Pictures,
        kind.model,
        {
          domain: [['id', '=', id], ...kind.filter],
          specification: { write_date: {}, image_1920: {} },
          limit: 1,
          context: { bin_size: isSizeOnly },
        },
        call,
      )
    const [described, content] = await Promise.all([read(true), read(false)])
    const [size, picture] = [described.records[0], content.records[0]]
    if (!size || !picture?.image_1920) return null
    return { version: kind.toKey(size).version, bytes: Buffer.from(picture.image_1920, 'base64') }
  }
}
