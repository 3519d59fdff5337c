import { mock } from 'node:test'
import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import { toPictureFile } from '../../src/media/picture-file.ts'
import { createPictureLoader, type PictureLoader, type PictureLoaderParts } from '../../src/media/picture-loader.ts'
import type { PictureId } from '../../src/media/picture-url-signer.ts'
import type { Picture } from '../../src/ports/picture.ts'
import type { BackOffice } from '../../src/upstream/back-office.ts'

const name: PictureId = { merchant: 'acme', mode: 'live', source: 's', version: 'v1' }
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('making pictures', () => {
  let clock: number
  let asked: { source: string; answer: PromiseWithResolvers<Picture | null> }[]
  let derived: Uint8Array[]
  let told: string[]
  let pictures: PictureLoader
  const shelf = new Map<string, Buffer>()

  function make(more: Partial<PictureLoaderParts> = {}): PictureLoader {
    const backOffice: Pick<BackOffice, 'picture'> = {
      picture(source, { requestScope }) {
        const answer = Promise.withResolvers<Picture | null>()
        requestScope.onLeave(() => answer.reject(new UpstreamError('timeout', 'over')))
        asked.push({ source, answer })
        return answer.promise
      },
    }
    return createPictureLoader({
      cache: {
        get: async (file) => (shelf.has(file) ? toPictureFile(shelf.get(file)!) : null),
        put: async (file, bytes) => {
          shelf.set(file, bytes)
          return toPictureFile(bytes)
        },
        scan: async () => {},
        bytes: 0,
        [Symbol.asyncDispose]: async () => {},
      },
      async resize(original) {
        derived.push(original)
        return { thumb: Buffer.from('small'), large: Buffer.from('large') }
      },
      links: { read: async (url) => Buffer.from(`behind ${url}`) },
      backOfficeFor: ({ merchant }) => (merchant === 'acme' ? backOffice : null),
      now: () => clock,
      onFailure: (_, { failure }) => void told.push(failure),
      ...more,
    })
  }

  beforeEach(() => {
    clock = 0
    ;[asked, derived, told] = [[], [], []]
    shelf.clear()
    pictures = make()
  })
  afterEach(async () => {
    mock.timers.reset()
    await pictures[Symbol.asyncDispose]()
  })

  const get = (of: Partial<PictureId> = {}) =>
    pictures.load({ ...name, ...of }, 'thumb', { requestId: 'req', calls: new Set() })
  const outcome = (requestScope: Promise<unknown>) =>
    requestScope.then(
      () => 'made',
      (error) => error.failure ?? error.code,
    )
  async function answered(at: number, picture: Picture | null | UpstreamError) {
    await settled()
    const { answer } = asked[at]!
    if (picture instanceof UpstreamError) answer.reject(picture)
    else answer.resolve(picture)
  }
  const original: Picture = { version: 'v1', bytes: Buffer.from('original') }

  it('is done once for all who ask meanwhile, and not again for what is kept', async () => {
    const all = Promise.all(Array.from({ length: 50 }, () => get()))
    await answered(0, original)
    expect(new Set((await all).map(({ bytes, outcome }) => `${bytes} ${outcome}`))).to.deep.equal(
      new Set(['small made']),
    )
    expect((await pictures.load(name, 'large', { requestId: 'req', calls: new Set() })).outcome).to.equal('kept')
    expect([asked.length, derived.length]).to.deep.equal([1, 1])
  })

  it('follows a link that the back office keeps', async () => {
    const requestScope = get()
    await answered(0, { version: 'v1', url: 'https://cdn.example/a.jpg' })
    await requestScope
    expect(String(derived[0])).to.equal('behind https://cdn.example/a.jpg')
  })

  it('makes nothing of another content, of none, or for a merchant that is not there', async () => {
    for (const [at, picture] of [{ ...original, version: 'v2' }, null].entries()) {
      const requestScope = outcome(get({ source: `s${at}` }))
      await answered(at, picture)
      expect(await requestScope).to.equal('not_found')
    }
    expect(await outcome(get({ merchant: 'nobody' }))).to.equal('not_found')
    expect([derived.length, shelf.size]).to.deep.equal([0, 0])
  })

  it('looks again at what it could not have after some seconds, and at what no shopper can be shown after a minute', async () => {
    const failures = [
      [new UpstreamError('unavailable', 'gone'), 5_000, 'unavailable'],
      [null, 5_000, 'not_found'],
      [new UpstreamError('invalid', 'no picture'), 60_000, 'invalid'],
    ] as const
    for (const [failed, afterMs, failure] of failures) {
      const before = asked.length
      const source = `after ${afterMs} of ${failure}`
      const first = outcome(get({ source }))
      await answered(before, failed)
      expect(await first).to.equal(failure)
      clock += afterMs - 1
      expect(await outcome(get({ source }))).to.equal(failure)
      expect(asked.length).to.equal(before + 1)
      clock += 1
      const again = outcome(get({ source }))
      await answered(before + 1, original)
      expect(await again).to.equal('made')
    }
    expect(told).to.deep.equal(['unavailable', 'invalid'])
  })

  it('remembers nothing of a system that is being given time', async () => {
    for (const [at, failure] of (['circuit_open', 'overloaded'] as const).entries()) {
      const requestScope = outcome(get())
      await answered(at, new UpstreamError(failure, 'not now'))
      expect(await requestScope).to.equal(failure)
    }
    expect(told).to.deep.equal([])
  })

  it('asks a back office for two at a time, and lets a line grow only so long', async () => {
    const line = Array.from({ length: 102 }, (_, n) => outcome(get({ source: `s${n}` })))
    await settled()
    expect(asked.map(({ source }) => source)).to.deep.equal(['s0', 's1'])
    expect(await outcome(get({ source: 'one too many' }))).to.equal('overloaded')
    expect(await outcome(get({ source: 's5', merchant: 'nobody' }))).to.equal('not_found')
    for (let at = 0; at < line.length; at += 1) await answered(at, original)
    expect(new Set(await Promise.all(line))).to.deep.equal(new Set(['made']))
  })

  it('keeps nobody waiting for a coder that takes long, and has the picture for whoever asks next', async () => {
    const coding = Promise.withResolvers<{ thumb: Buffer; large: Buffer }>()
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    pictures = make({ waitMs: 1_000, resize: () => coding.promise })
    const first = outcome(get())
    await answered(0, original)
    await settled()
    mock.timers.tick(1_000)
    expect(await first).to.equal('overloaded')
    const next = get()
    coding.resolve({ thumb: Buffer.from('small'), large: Buffer.from('large') })
    expect((await next).outcome).to.equal('made')
    expect(asked.length).to.equal(1)
  })

  it('gives up on a back office that hangs, and on whoever stands behind it', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    pictures = make({ waitMs: 1_000 })
    const outcomes = Promise.all(['a', 'b', 'c'].map((source) => outcome(get({ source }))))
    await settled()
    mock.timers.tick(900)
    expect(await outcomes).to.deep.equal(['timeout', 'timeout', 'overloaded'])
    expect(asked.length).to.equal(2)
  })
})
