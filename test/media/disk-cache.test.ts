import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createDiskCache, type DiskCache } from '../../src/media/disk-cache.ts'
import { until } from '../support/until.ts'

const BLOCK = 4_096
/** A picture of two disk blocks. */
const picture = (of: string) => Buffer.alloc(BLOCK + 100, of)
const nameOf = (n: number, size = 'thumb') => `${n.toString(16).padStart(40, '0')}-${size}.webp`

describe('the disk cache of pictures', () => {
  let directory: string
  let clock: number
  let errors: unknown[]
  const caches: DiskCache[] = []

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'forecourt-disk-cache-')), 'media')
    // Later than the real modification times: only the recorded use counts.
    clock = Date.parse('2126-11-21T12:00:00Z')
    errors = []
  })
  afterEach(async () => {
    for (const one of caches.splice(0)) await one[Symbol.asyncDispose]()
    await rm(join(directory, '..'), { recursive: true, force: true })
  })

  async function openCache(blocks = 100): Promise<DiskCache> {
    const onError = (error: unknown) => void errors.push(error)
    const cache = createDiskCache({ directory, maxBytes: blocks * BLOCK, now: () => clock, onError })
    caches.push(cache)
    await cache.scan()
    return cache
  }
  async function files(): Promise<string[]> {
    const all = await readdir(directory, { recursive: true }).catch(() => [])
    return all.filter((path) => path.includes('.')).sort()
  }
  const fileOf = (name: string) => join(directory, name.slice(0, 2), name)

  it('returns pictures unchanged, with the same strong ETag', async () => {
    const first = await openCache()
    expect(await first.get(nameOf(1))).to.equal(null)
    const put = await first.put(nameOf(1), picture('a'))
    expect(put.etag).to.match(/^"[\w-]{43}"$/)
    expect(await first.get(nameOf(1))).to.deep.equal(put)
    expect(first.bytes).to.equal(2 * BLOCK)
    expect((await first.put(nameOf(2), picture('b'))).etag).to.not.equal(put.etag)
    expect(errors).to.deep.equal([])
  })

  it('keeps pictures across a restart', async () => {
    const put = await (await openCache()).put(nameOf(1), picture('a'))
    const again = await openCache()
    expect(again.bytes).to.equal(2 * BLOCK)
    expect(await again.get(nameOf(1))).to.deep.equal(put)
  })

  it('evicts the least recently used pictures, also from the disk', async () => {
    const one = await openCache(6)
    for (const n of [1, 2, 3]) await one.put(nameOf(n), picture('x'))
    await one.get(nameOf(1))
    await one.put(nameOf(4), picture('x'))
    await one.scan()
    await until('three are left', async () => (await files()).length === 3)
    expect((await files()).map((file) => file.slice(3))).to.have.members([nameOf(1), nameOf(3), nameOf(4)])
    expect(one.bytes).to.equal(6 * BLOCK)
  })

  it('applies a lower limit at start, and keeps the most recently used pictures', async () => {
    const before = await openCache()
    for (const n of [1, 2, 3, 4]) {
      await before.put(nameOf(n), picture('x'))
      await utimes(fileOf(nameOf(n)), clock / 1_000 + n, clock / 1_000 + n)
    }
    const after = await openCache(5)
    expect((await files()).map((file) => file.slice(3))).to.have.members([nameOf(3), nameOf(4)])
    expect(after.bytes).to.equal(4 * BLOCK)
  })

  it('can be shared: finds files of another process, counts them at the next scan, and may evict them', async () => {
    const [one, other] = [await openCache(6), await openCache(6)]
    const made = await one.put(nameOf(1), picture('a'))
    expect(await other.get(nameOf(1))).to.deep.equal(made)
    clock += 1_000
    for (const n of [2, 3]) await one.put(nameOf(n), picture('x'))
    for (const n of [4, 5]) await other.put(nameOf(n), picture('x'))
    // The first one may join a scan that started before the last picture.
    for (const look of [one, other, one, other]) await look.scan()
    expect((await files()).length).to.be.at.most(3)
    expect([one.bytes, other.bytes].every((bytes) => bytes <= 6 * BLOCK)).to.equal(true)
    await rm(fileOf(nameOf(1)), { force: true })
    await one.scan()
    expect(await one.get(nameOf(1))).to.equal(null)
  })

  it('drops truncated, changed and foreign files', async () => {
    const one = await openCache()
    await one.put(nameOf(1), picture('a'))
    const whole = await readFile(fileOf(nameOf(1)))
    for (const damaged of [whole.subarray(0, 900), Buffer.alloc(0), Buffer.from('<html>'), whole.fill('b', 0, 4)]) {
      await writeFile(fileOf(nameOf(1)), damaged)
      expect(await one.get(nameOf(1))).to.equal(null)
      expect(await files()).to.deep.equal([])
      await one.put(nameOf(1), picture('a'))
    }
    await rm(directory, { recursive: true })
    expect(await one.get(nameOf(1))).to.equal(null)
    expect((await one.put(nameOf(1), picture('a'))).bytes.equals(picture('a'))).to.equal(true)
    expect(errors).to.deep.equal([])
  })

  it('still returns pictures and reports an error when the disk is not writable', async () => {
    await writeFile(directory, 'a file where the folder should be')
    const one = await openCache()
    const put = await one.put(nameOf(1), picture('a'))
    expect(put.bytes.equals(picture('a'))).to.equal(true)
    expect(await one.get(nameOf(1))).to.equal(null)
    expect(errors.length).to.be.above(0)
    expect(one.bytes).to.equal(0)
  })

  it('ignores other files, and removes temporary files of a killed process', async () => {
    await mkdir(join(directory, '00'), { recursive: true })
    const passing = join(directory, '00', `${nameOf(1)}.77-1.tmp`)
    for (const file of [passing, join(directory, '00', 'notes.txt')]) await writeFile(file, 'x')
    await utimes(passing, clock / 1_000 - 7_200, clock / 1_000 - 7_200)
    const one = await openCache(1)
    expect(one.bytes).to.equal(0)
    expect(await files()).to.deep.equal(['00/notes.txt'])
  })

  it('does not store a picture above the whole limit', async () => {
    const one = await openCache(1)
    await one.put(nameOf(1), picture('a'))
    expect(await files()).to.deep.equal([])
  })
})
