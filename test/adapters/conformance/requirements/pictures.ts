import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { BOTH_ITEM_PARTS } from '../both-item-parts.ts'
import { requirementsOf } from '../requirement.ts'

/** The format of test/support/fake-picture-urls.ts. */
const SERVED = /^https:\/\/api\.example\/media\/([^/]+)\/([^/]+)\/(?:thumb|large)\.webp$/

export const pictureRequirements = requirementsOf(
  'inventory.picture',
  [
    'returns the picture of a product in the version of its URL',
    ['inventory.items', 'pictureSku'],
    async ({ inventory, facts: { pictureSku } }) => {
      const [item] = await inventory.items([pictureSku], BOTH_ITEM_PARTS, createCall())
      const served = item!
        .product!.media!.map(({ thumb_url }) => SERVED.exec(thumb_url))
        .find((found) => found !== null)
      const [source = '', version = ''] = served!.slice(1).map(decodeURIComponent)
      for (const part of [source, version]) expect(part.length).to.be.within(1, 200)
      const picture = (await inventory.picture(source, createCall()))!
      expect(picture.version).to.equal(version)
      if ('url' in picture) expect(picture.url).to.match(/^https?:\/\//)
      else expect(picture.bytes.byteLength).to.be.greaterThan(0)
      expect(await inventory.picture(source, createCall())).to.deep.equal(picture)
    },
  ],
  [
    'returns null for an unknown picture',
    [],
    async ({ inventory }) => {
      for (const source of ['no-such-picture', '..', '0', '%', 'x'.repeat(200)])
        expect(await inventory.picture(source, createCall()), source).to.equal(null)
    },
  ],
)
