import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import { readOrCreatePictureSigningKey } from '../../../src/storage/keys/picture-signing-key.ts'
import { stores } from '../../support/stores.ts'

for (const store of stores()) {
  describe(`the picture signing key over ${store.name}`, () => {
    afterEach(() => store.close())

    it('is created once, also by concurrent processes, and never changes', async () => {
      const first = await store.open()
      const others = await Promise.all([openDatabase(store.url()), openDatabase(store.url())])
      const keys = await Promise.all(
        [first, ...others, first].map((db, n) => readOrCreatePictureSigningKey(db, (size) => Buffer.alloc(size, n))),
      )
      expect(new Set(keys.map((key) => key.toString('hex'))).size).to.equal(1)
      expect(keys[0]).to.have.length(32)
      expect(await readOrCreatePictureSigningKey(first, () => Buffer.alloc(32, 99))).to.deep.equal(keys[0])
      for (const db of others) await db.destroy()
    })
  })
}
