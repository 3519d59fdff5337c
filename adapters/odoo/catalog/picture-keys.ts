import { hash } from 'node:crypto'
import type { PictureKey } from '../../../src/ports/picture.ts'

interface StoredPicture {
  id: number
  write_date: string
  image_1920: string | false
}

/**
 * Odoo stores a digest of each picture only in the table of attachments. The time of the record's last write and the
 * size change with it, and come with the product itself.
 */
const toVersion = ({ write_date, image_1920 }: StoredPicture): string =>
  hash('sha256', `${write_date} ${image_1920}`).slice(0, 32)

/** The main picture of a product. */
export const productPictureKey = (row: StoredPicture): PictureKey => ({
  source: String(row.id),
  version: toVersion(row),
})

/** A picture of the gallery, which the module website_sale adds. */
export const galleryPictureKey = (row: StoredPicture): PictureKey => ({ source: `g${row.id}`, version: toVersion(row) })
