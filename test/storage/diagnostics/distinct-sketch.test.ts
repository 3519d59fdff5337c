import { expect } from 'chai'
import {
  addToSketch,
  countSketch,
  createSketch,
  decodeSketch,
  encodeSketch,
  mergeSketches,
} from '../../../src/storage/diagnostics/distinct-sketch.ts'

const sketchOf = (from: number, to: number) => {
  const sketch = createSketch()
  for (let number = from; number < to; number += 1) addToSketch(sketch, `C-${number}`)
  return sketch
}

describe('a sketch of distinct texts', () => {
  it('counts each text once, exactly when they are few', () => {
    const sketch = sketchOf(0, 5)
    for (let round = 0; round < 100; round += 1) addToSketch(sketch, 'C-3')
    expect([countSketch(createSketch()), countSketch(sketch)]).to.deep.equal([0, 5])
  })

  it('is at most a fifth off when they are many', () => {
    for (const count of [100, 1_000, 50_000])
      expect(countSketch(sketchOf(0, count))).to.be.within(count * 0.8, count * 1.2)
  })

  it('counts the texts of several processes together, after they were stored', () => {
    const merged = mergeSketches(sketchOf(0, 30), decodeSketch(encodeSketch(sketchOf(20, 40))))
    expect(countSketch(merged)).to.equal(countSketch(sketchOf(0, 40)))
  })
})
