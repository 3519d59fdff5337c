import { expect } from 'chai'
import sharp from 'sharp'
import { createPictureResizer } from '../../src/media/picture-resizer.ts'
import { fromPhone, hostile, jpeg, photo } from './sample-images.ts'

describe('derivatives of a picture', () => {
  let originals: {
    landscape: Buffer
    small: Buffer
    phone: Buffer
    clear: Buffer
    deep: Buffer
    print: Buffer
    wide: Buffer
  }
  let strange: Record<string, Buffer>
  const derive = createPictureResizer()
  const measured = async (bytes: Buffer) => {
    const { format, width, height, orientation, exif, icc, xmp, hasAlpha } = await sharp(bytes).metadata()
    return { format, size: [width, height], beside: [orientation, exif, icc, xmp].filter(Boolean).length, hasAlpha }
  }
  const colourOf = async (bytes: Buffer) => [...(await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer())]

  before(async () => {
    strange = await hostile()
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

  it('are WebP, at most so large', async () => {
    const { thumb, large } = await derive(originals.landscape)
    expect(await measured(large)).to.deep.include({ format: 'webp', size: [800, 600] })
    expect(await measured(thumb)).to.deep.include({ format: 'webp', size: [160, 120] })
  })

  it('are never enlarged', async () => {
    const { thumb, large } = await derive(originals.small)
    expect([(await measured(large)).size, (await measured(thumb)).size]).to.deep.equal([
      [90, 60],
      [90, 60],
    ])
  })

  it('stand upright, and tell nothing of who took them where', async () => {
    const { thumb, large } = await derive(originals.phone)
    expect(await measured(large)).to.deep.include({ size: [600, 800], beside: 0 })
    expect(await measured(thumb)).to.deep.include({ size: [120, 160], beside: 0 })
    expect(large.includes('Marcia')).to.equal(false)
  })

  it('keep what is transparent', async () => {
    expect(await measured((await derive(originals.clear)).thumb)).to.include({ hasAlpha: true })
  })

  for (const kind of ['deep', 'print', 'wide'] as const) {
    it(`have the colours of the original on a screen: ${kind}`, async () => {
      const [red = 0, green = 0, blue = 0] = await colourOf((await derive(originals[kind])).large)
      expect(red).to.be.within(140, 225)
      expect(green).to.be.within(30, 105)
      expect(blue).to.be.within(5, 90)
    })
  }

  it('are refused of what is no picture, by what it holds', async () => {
    for (const [kind, bytes] of Object.entries(strange)) {
      const outcome = await derive(bytes).then(
        () => 'made',
        (error) => error.failure,
      )
      expect(outcome, kind).to.equal('invalid')
    }
    expect((await derive(originals.small)).large.length).to.be.above(0)
  })
})
