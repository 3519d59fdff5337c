import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { isStoreUnavailable } from '../../../src/storage/store-errors.ts'
import { stores } from '../../support/stores.ts'
import { details, find, type MirrorMachines, type MirrorProcess, openMachines } from '../mirror-machines.ts'

const SKUS = Array.from({ length: 300 }, (_, number) => `S-${number}`)

describe('damage to a mirror file', () => {
  let machines: MirrorMachines
  let writer: MirrorProcess
  let reader: MirrorProcess
  beforeEach(async () => {
    machines = await openMachines(stores()[0]!)
    ;[writer, reader] = [machines.startProcess('one'), machines.startProcess('one')]
    await machines.put(SKUS.map((sku) => details(sku)))
    await machines.markRead('products')
    for (const { mirror } of [writer, reader]) await mirror.poll()
    await find(reader, 'pad')
    expect([writer, reader].map(({ mirror }) => mirror.isServing)).to.deep.equal([true, true])
  })
  afterEach(() => machines[Symbol.asyncDispose]())

  const files = () => readdirSync(writer.folder).filter((name) => /^\d+\.db$/.test(name))
  const path = () => writer.mirror.status().path!

  /** Polls and reads until both processes have the products again, and tells whether the mirror was off in between. */
  async function recover(): Promise<boolean> {
    let wasOff = false
    for (let round = 0; round < 6; round++)
      for (const process of [writer, reader]) {
        wasOff ||= !process.mirror.partState('products').isFilled
        await process.mirror.poll().catch(() => {})
        wasOff ||= !process.mirror.partState('products').isFilled
        await find(process, `pad ${round}`).catch(() => {})
        attempt(() => process.mirror.products(SKUS))
      }
    for (const process of [writer, reader]) {
      expect(process.mirror.partState('products').isFilled).to.equal(true)
      expect(process.mirror.products(SKUS).map((found) => found!.product.sku)).to.deep.equal(SKUS)
      expect(await find(process, 'pad')).to.have.lengthOf(50)
      expect(process.mirror.status()).to.deep.include({ rows: SKUS.length, failure: null })
    }
    expect(files()).to.have.lengthOf(1)
    return wasOff
  }

  for (const [name, damage] of [
    ['is deleted', (file: string) => rmSync(file)],
    ['is truncated', (file: string) => truncateSync(file, 20_000)],
    ['is emptied', (file: string) => truncateSync(file, 0)],
    ['is deleted with its folder', (file: string) => rmSync(dirname(file), { recursive: true })],
    [
      'is deleted with the folder of all mirrors',
      (file: string) => rmSync(dirname(dirname(file)), { recursive: true }),
    ],
    [
      'is replaced by a directory',
      (file: string) => {
        rmSync(file)
        mkdirSync(join(file, 'more'), { recursive: true })
      },
    ],
    [
      'is replaced by another',
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
  ] as const) {
    it(`is repaired by a new file, when it ${name}`, async () => {
      checkpoint(path())
      damage(path())
      expect(await recover()).to.equal(true)
    })
  }

  it('is noticed at start when the file is a directory', async () => {
    const file = path()
    await writer.end()
    await reader.end()
    rmSync(file)
    mkdirSync(file)
    ;[writer, reader] = [machines.startProcess('one'), machines.startProcess('one')]
    expect(await recover()).to.equal(true)
  })

  it('does not stop a process whose folder cannot be created, and ends once it can', async () => {
    const mirrors = dirname(writer.folder)
    await writer.end()
    await reader.end()
    rmSync(mirrors, { recursive: true })
    writeFileSync(mirrors, '')
    ;[writer, reader] = [machines.startProcess('one'), machines.startProcess('one')]
    expect(await writer.mirror.poll().catch(({ message }) => message)).to.match(/not a directory|file already exists/)
    expect(writer.mirror.status().failure?.message).to.match(/not a directory|file already exists/)
    rmSync(mirrors)
    expect(await recover()).to.equal(true)
  })

  it('is reported once with its cause, and the recovery', async () => {
    const [replaced, recovered]: [unknown[], number[]] = [[], []]
    await writer.end()
    await reader.end()
    writer = machines.startProcess('one', {
      onReplaced: (reason, error) => void replaced.push([reason, error?.message.replace(writer.folder, '')]),
      onRecovered: () => void recovered.push(replaced.length),
    })
    reader = machines.startProcess('one')
    await writer.mirror.poll()
    const file = path()
    rmSync(file)
    expect(await recover()).to.equal(true)
    expect(replaced).to.deep.equal([['damaged', 'the mirror file /1.db was deleted']])
    expect(recovered).to.deep.equal([1])
  })

  it('is noticed by a read of overwritten bytes, in either thread', async () => {
    checkpoint(path())
    overwrite(path())
    await machines.put([details('S-0', 'new')])
    expect(await recover()).to.equal(true)
  })

  it('is noticed in a file of another version, when a process starts', async () => {
    const file = path()
    await writer.end()
    await reader.end()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 1')
    database.close()
    ;[writer, reader] = [machines.startProcess('one'), machines.startProcess('one')]
    expect(await recover()).to.equal(true)
  })

  it('is noticed in a file that is no database, when a process starts', async () => {
    const file = path()
    await writer.end()
    await reader.end()
    overwrite(file)
    ;[writer, reader] = [machines.startProcess('one'), machines.startProcess('one')]
    expect(await recover()).to.equal(true)
  })

  it('is noticed when the store was restored from an older backup', async () => {
    await machines.db.updateTable('catalog_sequences').set({ last: 1 }).execute()
    await writer.mirror.poll().catch(() => {})
    expect(writer.mirror.partState('products').isFilled).to.equal(false)
  })

  it('is repaired when there is room again, if the new name of the file cannot be written', async () => {
    const blocked = join(writer.folder, `current.${process.pid}`)
    mkdirSync(blocked)
    rmSync(path())
    const errors = [writer, reader].map(({ mirror }) => mirror.poll().catch(({ message }) => message))
    expect((await Promise.all(errors)).join()).to.include(blocked)
    rmdirSync(blocked)
    expect(await recover()).to.equal(true)
  })

  it('is not taken for a failure of the store, which is logged elsewhere', async () => {
    const file = path()
    await writer.end()
    await reader.end()
    rmSync(`${file}.use`)
    mkdirSync(`${file}.use`)
    writer = machines.startProcess('one')
    const error = await writer.mirror.poll().catch((failure: unknown) => failure)
    expect((error as Error).message).to.equal('unable to open database file')
    expect(isStoreUnavailable(error)).to.equal(false)
  })

  it('does not include a full disk: reads continue, and the failure is reported', async () => {
    const { apply } = writer.threads
    writer.threads.apply = () => Promise.reject(new Error('database or disk is full'))
    await machines.put([details('S-0', 'new')])
    expect(await writer.mirror.poll().catch(({ message }) => message)).to.equal('database or disk is full')
    expect(writer.mirror.status().failure?.message).to.equal('database or disk is full')
    expect(writer.mirror.products(['S-0'])[0]!.product.name).to.equal('brake pad')
    writer.threads.apply = apply
    await writer.mirror.poll()
    expect(writer.mirror.products(['S-0'])[0]!.product.name).to.equal('new')
    expect(writer.mirror.status().failure).to.equal(null)
  })
})

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {}
}

/** Moves all changes into the file itself. */
function checkpoint(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function overwrite(file: string): void {
  const { size } = statSync(file)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, 0)
  closeSync(descriptor)
}
