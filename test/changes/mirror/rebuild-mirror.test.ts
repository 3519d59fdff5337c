import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { readCurrentMirror } from '../../../src/catalog/mirror/file/mirror-folder.ts'
import { type RebuildProgress, rebuildMirror } from '../../../src/changes/mirror/rebuild-mirror.ts'
import { createLatch } from '../../support/latch.ts'
import { stores } from '../../support/stores.ts'
import { acme, details, find, type MirrorMachines, openMachines } from '../mirror-machines.ts'

for (const store of stores()) {
  describe(`a rebuild of a mirror on ${store.name}`, () => {
    let machines: MirrorMachines
    beforeEach(async () => {
      machines = await openMachines(store)
    })
    afterEach(() => machines[Symbol.asyncDispose]())

    const filesIn = (folder: string) => readdirSync(folder).filter((name) => /^\d+\.db$/.test(name))
    const rebuild = (
      process: ReturnType<MirrorMachines['startProcess']>,
      onProgress?: (progress: RebuildProgress) => void,
    ) =>
      rebuildMirror({
        db: machines.db,
        tenant: acme,
        dataDirectory: join(process.folder, '../../..'),
        threads: process.threads,
        ...(onProgress && { onProgress }),
      })

    it('fills a new file, and every process goes on with it', async () => {
      const [one, other] = [machines.startProcess('one'), machines.startProcess('one')]
      await machines.put(Array.from({ length: 700 }, (_, number) => details(`S-${number}`)))
      await machines.markRead('products')
      for (const { mirror } of [one, other]) await mirror.poll()
      const progress: RebuildProgress[] = []
      const result = await rebuild(one, (step) => progress.push(step))
      expect(result).to.deep.equal({ path: join(one.folder, '2.db'), rows: 700, compared: 200 })
      expect(progress).to.deep.equal([
        { rows: 100, total: 700 },
        { rows: 300, total: 700 },
        { rows: 700, total: 700 },
      ])
      await one.mirror.poll()
      // The other process still reads the old file.
      expect(filesIn(one.folder).sort()).to.deep.equal(['1.db', '2.db'])
      expect(await find(other, 'pad')).to.have.lengthOf(50)
      for (const { mirror } of [other, one]) await mirror.poll()
      for (const { mirror, applied } of [one, other]) {
        expect(mirror.status()).to.deep.include({ path: result.path, rows: 700 })
        expect([mirror.isServing, applied.at(-1)]).to.deep.equal([true, 'all'])
      }
      expect(filesIn(one.folder)).to.deep.equal(['2.db'])
    })

    it('is used when searches of the new file need not wait for its columns; until then the old one is', async () => {
      const prepared: string[] = []
      using reached = createLatch()
      using blocked = createLatch()
      const one = machines.startProcess('one', {
        async beforePrepare(path) {
          prepared.push(basename(path))
          if (prepared.length === 1) return
          reached.open()
          await blocked.opened
        },
      })
      await machines.put([details('S-1'), details('S-2')])
      await machines.markRead('products')
      await one.mirror.poll()
      expect(prepared).to.deep.equal(['1.db'])
      const { path } = await rebuild(one)
      const round = one.mirror.poll()
      await Promise.race([reached.opened, round])
      expect(one.mirror.status().path).to.equal(join(one.folder, '1.db'))
      expect([one.mirror.isServing, await find(one, 'pad')]).to.deep.equal([true, ['S-1', 'S-2']])
      blocked.open()
      await round
      expect([one.mirror.status().path, prepared]).to.deep.equal([path, ['1.db', '2.db']])
      expect([one.mirror.isServing, await find(one, 'pad')]).to.deep.equal([true, ['S-1', 'S-2']])
    })

    it('changes nothing and leaves nothing when it fails', async () => {
      const one = machines.startProcess('one')
      await machines.put([details('S-1'), details('S-2')])
      await machines.markRead('products')
      await one.mirror.poll()
      const before = readCurrentMirror(one.folder)
      const { apply } = one.threads
      // A file that lacks a product.
      one.threads.apply = (path, changes) => apply(path, { ...changes, rows: changes.rows!.slice(1) })
      expect(await rebuild(one).catch(({ message }) => message)).to.equal(
        'the new mirror has 1 products, and the store has 2',
      )
      // A file with another product.
      one.threads.apply = (path, changes) =>
        apply(path, { ...changes, rows: changes.rows!.map((row) => ({ ...row, price_as_of: 'x' })) })
      expect(await rebuild(one).catch(({ message }) => message)).to.match(/^the product S-\d differs/)
      one.threads.apply = () => Promise.reject(new Error('database or disk is full'))
      expect(await rebuild(one).catch(({ message }) => message)).to.equal('database or disk is full')
      expect([readCurrentMirror(one.folder), existsSync(join(one.folder, 'current'))]).to.deep.equal([before, false])
      expect(filesIn(one.folder)).to.deep.equal(['1.db'])
      one.threads.apply = apply
    })

    it('is refused while another one runs', async () => {
      const one = machines.startProcess('one')
      await machines.put([details('S-1')])
      await one.mirror.poll()
      using blocked = createLatch()
      const { apply } = one.threads
      one.threads.apply = async (path, changes) => {
        await blocked.opened
        return apply(path, changes)
      }
      const first = rebuild(one)
      expect(await rebuild(one).catch(({ message }) => message)).to.equal('another rebuild of this mirror is running')
      blocked.open()
      expect((await first).rows).to.equal(1)
    })
  })
}
