import { mock } from 'node:test'
import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import { toPictureFile } from '../../src/media/checksummed-picture-file.ts'
import { createPictureLoader, type PictureLoader, type PictureLoaderParts } from '../../src/media/picture-loader.ts'
import type { PictureId } from '../../src/media/picture-url-signer.ts'
import type { Picture } from '../../src/ports/picture.ts'
import type { BackOffice } from '../../src/upstream/back-office.ts'

const name: PictureId = { merchant: 'acme', mode: 'live', source: 's', version: 'v1' }
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

describe('the picture loader', () => {
  let clock: number
  let calls: { source: string; answer: PromiseWithResolvers<Picture | null> }[]
  let resized: Uint8Array[]
  let failures: string[]
  let pictures: PictureLoader
  const files = new Map<string, Buffer>()

  function make(more: Partial<PictureLoaderParts> = {}): PictureLoader {
    const backOffice: Pick<BackOffice, 'picture'> = {
      picture(source, { requestScope }) {
        const answer = Promise.withResolvers<Picture | null>()
        requestScope.onLeave(() => answer.reject(new UpstreamError('timeout', 'over')))
        calls.push({ source, answer })
        return answer.promise
      },
    }
    return createPictureLoader({
      cache: {
        get: async (file) => (files.has(file) ? toPictureFile(files.get(file)!) : null),
        put: async (file, bytes) => {
          files.set(file, bytes)
          return toPictureFile(bytes)
        },
        scan: async () => {},
        bytes: 0,
        [Symbol.asyncDispose]: async () => {},
      },
      async resize(original) {
        resized.push(original)
        return { thumb: Buffer.from('small'), large: Buffer.from('large') }
      },
      linkClient: { read: async (url) => Buffer.from(`behind ${url}`) },
      backOfficeFor: ({ merchant }) => (merchant === 'acme' ? backOffice : null),
      now: () => clock,
      onFailure: (_, { failure }) => void failures.push(failure),
      ...more,
    })
  }

  beforeEach(() => {
    clock = 0
    ;[calls, resized, failures] = [[], [], []]
    files.clear()
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
  async function answerCall(at: number, picture: Picture | null | UpstreamError) {
    await nextTick()
    const { answer } = calls[at]!
    if (picture instanceof UpstreamError) answer.reject(picture)
    else answer.resolve(picture)
  }
  const original: Picture = { version: 'v1', bytes: Buffer.from('original') }

  it('resizes a picture once for concurrent callers, and serves it from the cache afterwards', async () => {
    const all = Promise.all(Array.from({ length: 50 }, () => get()))
    await answerCall(0, original)
    expect(new Set((await all).map(({ bytes, outcome }) => `${bytes} ${outcome}`))).to.deep.equal(
      new Set(['small made']),
    )
    expect((await pictures.load(name, 'large', { requestId: 'req', calls: new Set() })).outcome).to.equal('kept')
    expect([calls.length, resized.length]).to.deep.equal([1, 1])
  })

  it('follows a link that the back office returns', async () => {
    const requestScope = get()
    await answerCall(0, { version: 'v1', url: 'https://cdn.example/a.jpg' })
    await requestScope
    expect(String(resized[0])).to.equal('behind https://cdn.example/a.jpg')
  })

  it('rejects another version, a missing picture and an unknown merchant', async () => {
    for (const [at, picture] of [{ ...original, version: 'v2' }, null].entries()) {
      const requestScope = outcome(get({ source: `s${at}` }))
      await answerCall(at, picture)
      expect(await requestScope).to.equal('not_found')
    }
    expect(await outcome(get({ merchant: 'nobody' }))).to.equal('not_found')
    expect([resized.length, files.size]).to.deep.equal([0, 0])
  })

  it('retries a failed fetch after some seconds, and an unreadable picture after a minute', async () => {
    const cases = [
      [new UpstreamError('unavailable', 'gone'), 5_000, 'unavailable'],
      [null, 5_000, 'not_found'],
      [new UpstreamError('invalid', 'no picture'), 60_000, 'invalid'],
    ] as const
    for (const [failed, afterMs, failure] of cases) {
      const before = calls.length
      const source = `after ${afterMs} of ${failure}`
      const first = outcome(get({ source }))
      await answerCall(before, failed)
      expect(await first).to.equal(failure)
      clock += afterMs - 1
      expect(await outcome(get({ source }))).to.equal(failure)
      expect(calls.length).to.equal(before + 1)
      clock += 1
      const again = outcome(get({ source }))
      await answerCall(before + 1, original)
      expect(await again).to.equal('made')
    }
    expect(failures).to.deep.equal(['unavailable', 'invalid'])
  })

  it('does not remember transient failures', async () => {
    for (const [at, failure] of (['circuit_open', 'overloaded'] as const).entries()) {
      const requestScope = outcome(get())
      await answerCall(at, new UpstreamError(failure, 'not now'))
      expect(await requestScope).to.equal(failure)
    }
    expect(failures).to.deep.equal([])
  })

  it('fetches two pictures at a time, with a bounded queue', async () => {
    const line = Array.from({ length: 102 }, (_, n) => outcome(get({ source: `s${n}` })))
    await nextTick()
    expect(calls.map(({ source }) => source)).to.deep.equal(['s0', 's1'])
    expect(await outcome(get({ source: 'above the limit' }))).to.equal('overloaded')
    expect(await outcome(get({ source: 's5', merchant: 'nobody' }))).to.equal('not_found')
    for (let at = 0; at < line.length; at += 1) await answerCall(at, original)
    expect(new Set(await Promise.all(line))).to.deep.equal(new Set(['made']))
  })

  it('rejects callers when resizing takes too long, and finishes the picture for later ones', async () => {
    const coding = Promise.withResolvers<{ thumb: Buffer; large: Buffer }>()
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    pictures = make({ waitMs: 1_000, resize: () => coding.promise })
    const first = outcome(get())
    await answerCall(0, original)
    await nextTick()
    mock.timers.tick(1_000)
    expect(await first).to.equal('overloaded')
    const next = get()
    coding.resolve({ thumb: Buffer.from('small'), large: Buffer.from('large') })
    expect((await next).outcome).to.equal('made')
    expect(calls.length).to.equal(1)
  })

  it('times out on a back office that hangs, and for callers in the queue', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    pictures = make({ waitMs: 1_000 })
    const outcomes = Promise.all(['a', 'b', 'c'].map((source) => outcome(get({ source }))))
    await nextTick()
    mock.timers.tick(900)
    expect(await outcomes).to.deep.equal(['timeout', 'timeout', 'overloaded'])
    expect(calls.length).to.equal(2)
  })
})
