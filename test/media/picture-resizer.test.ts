import { expect } from 'chai'
import sharp from 'sharp'
import { createPictureResizer } from '../../src/media/picture-resizer.ts'
import { fromPhone, invalidImages, jpeg, photo } from './sample-images.ts'

describe('resized pictures', () => {
  let originals: {
    landscape: Buffer
    small: Buffer
    phone: Buffer
    clear: Buffer
    deep: Buffer
    print: Buffer
    wide: Buffer
  }
  let invalid: Record<string, Buffer>
  const resize = createPictureResizer()
  const measure = async (bytes: Buffer) => {
    const { format, width, height, orientation, exif, icc, xmp, hasAlpha } = await sharp(bytes).metadata()
    return {
      format,
      size: [width, height],
      metadataCount: [orientation, exif, icc, xmp].filter(Boolean).length,
      hasAlpha,
    }
  }
  const colourOf = async (bytes: Buffer) => [...(await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer())]

  before(async () => {
    invalid = await invalidImages()
    originals = {
      landscape: await jpeg(1_200, 900),
      small: await jpeg(90, 60),
      phone: await fromPhone(),
      clear: await sharp({ create: { width: 500, height: 500, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
      deep: await photo(400, 300).toColourspace('rgb16').png().toBuffer(),
      print: await photo(400, 300).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
      wide: await photo(400, 300).withIccProfile('p3').jpeg().toBuffer(),
    }
  })

  it('are WebP within the maximum size', async () => {
    const { thumb, large } = await resize(originals.landscape)
    expect(await measure(large)).to.deep.include({ format: 'webp', size: [800, 600] })
    expect(await measure(thumb)).to.deep.include({ format: 'webp', size: [160, 120] })
  })

  it('are never enlarged', async () => {
    const { thumb, large } = await resize(originals.small)
    expect([(await measure(large)).size, (await measure(thumb)).size]).to.deep.equal([
      [90, 60],
      [90, 60],
    ])
  })

  it('are upright, without metadata', async () => {
    const { thumb, large } = await resize(originals.phone)
    expect(await measure(large)).to.deep.include({ size: [600, 800], metadataCount: 0 })
    expect(await measure(thumb)).to.deep.include({ size: [120, 160], metadataCount: 0 })
    expect(large.includes('Marcia')).to.equal(false)
  })

  it('keep transparency', async () => {
    expect(await measure((await resize(originals.clear)).thumb)).to.include({ hasAlpha: true })
  })

  for (const kind of ['deep', 'print', 'wide'] as const) {
    it(`have the colours of the original on a screen: ${kind}`, async () => {
      const [red = 0, green = 0, blue = 0] = await colourOf((await resize(originals[kind])).large)
      expect(red).to.be.within(140, 225)
      expect(green).to.be.within(30, 105)
      expect(blue).to.be.within(5, 90)
    })
  }

  it('are rejected for files that are not valid pictures', async () => {
    for (const [kind, bytes] of Object.entries(invalid)) {
      const outcome = await resize(bytes).then(
        () => 'made',
        (error) => error.failure,
      )
      expect(outcome, kind).to.equal('invalid')
    }
    expect((await resize(originals.small)).large.length).to.be.above(0)
  })
})
