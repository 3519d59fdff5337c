import { hash } from 'node:crypto'

/**
 * A sketch that counts distinct texts in 256 bytes (HyperLogLog), about 6 % off when there are many. Sketches of several processes are merged,
 * and no text can be read from one.
 */
export type DistinctSketch = Uint8Array

const REGISTERS = 256
/** Of HyperLogLog with 256 registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

export const createSketch = (): DistinctSketch => new Uint8Array(REGISTERS)

export function addToSketch(sketch: DistinctSketch, text: string): void {
  const digest = hash('sha256', text, 'buffer')
  const register = digest[0]!
  const rank = Math.clz32(digest.readUInt32BE(1)) + 1
  if (rank > sketch[register]!) sketch[register] = rank
}

export const mergeSketches = (one: DistinctSketch, other: DistinctSketch): DistinctSketch =>
  one.map((rank, register) => Math.max(rank, other[register] ?? 0))

/** Returns about how many different texts were added. */
export function countSketch(sketch: DistinctSketch): number {
  const sum = sketch.reduce((total, rank) => total + 2 ** -rank, 0)
  const estimate = (ALPHA * REGISTERS * REGISTERS) / sum
  const empty = sketch.filter((rank) => rank === 0).length
  const isSmall = estimate <= 2.5 * REGISTERS && empty > 0
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
}

export const encodeSketch = (sketch: DistinctSketch): string => Buffer.from(sketch).toString('base64')
export const decodeSketch = (text: string): DistinctSketch => new Uint8Array(Buffer.from(text, 'base64'))
