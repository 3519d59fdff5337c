import type { ConfigMistake } from '../config-error.ts'
import { type BoostBlock, MirrorBlock } from '../schema/mirror-schema.ts'
import { findShapeMistakes } from './find-shape-mistakes.ts'

const REMEDY = 'Give off, or max_age_seconds, boosts and synonyms'
const BOOSTED = ['brand', 'category', 'tag'] as const

/** Checks the mirror of a merchant: `off`, or its settings. */
export function findMirrorMistakes(mirror: unknown, path: string): ConfigMistake[] {
  if (mirror === undefined || mirror === 'off') return []
  if (mirror === null) return [{ path, mistake: 'is empty', remedy: REMEDY }]
  if (typeof mirror !== 'object' || Array.isArray(mirror))
    return [{ path, mistake: 'is neither off nor a group of settings', remedy: REMEDY }]
  const mistakes = findShapeMistakes(MirrorBlock, mirror, path)
  if (mistakes.length > 0) return mistakes
  const { boosts = [], synonyms = [] } = mirror as MirrorBlock
  return [...findBoostMistakes(boosts, `${path}.boosts`), ...findSynonymMistakes(synonyms, `${path}.synonyms`)]
}

/** Finds synonyms without a letter or digit, and those that are listed twice. */
function findSynonymMistakes(groups: readonly (readonly string[])[], path: string): ConfigMistake[] {
  const phrases = groups.flatMap((group, at) => group.map((phrase, index) => ({ phrase, path: `${at}.${index}` })))
  const listed = new Map<string, string>()
  return phrases.flatMap(({ phrase, path: own }) => {
    const key = foldWords(phrase)
    if (key === '')
      return [{ path: `${path}.${own}`, mistake: 'has no letter and no digit', remedy: 'Give a word or a phrase' }]
    const earlier = listed.get(key)
    listed.set(key, earlier ?? own)
    if (earlier === undefined) return []
    const mistake = `is also synonyms.${earlier}`
    return [{ path: `${path}.${own}`, mistake, remedy: 'List all words that mean the same in one group' }]
  })
}

/** The words without case, accents and punctuation, as searches compare them. */
const foldWords = (phrase: string): string =>
  (
    phrase
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')

/** Finds boosts of nothing, of two things, and of the same thing twice. */
const findBoostMistakes = (boosts: readonly BoostBlock[], path: string): ConfigMistake[] =>
  boosts.flatMap((boost, index) => {
    const named = BOOSTED.filter((field) => boost[field] !== undefined)
    const toMistake = (mistake: string, remedy: string) => [{ path: `${path}.${index}`, mistake, remedy }]
    if (named.length === 0) return toMistake('names nothing to boost', 'Give one of brand, category and tag')
    if (named.length > 1) return toMistake(`names ${named.join(' and ')}`, 'Give one entry for each')
    const [field] = named as [(typeof BOOSTED)[number]]
    const earlier = boosts.slice(0, index).findIndex((other) => isSame(field, other[field], boost[field]!))
    if (earlier === -1) return []
    return toMistake(`boosts the same ${field} as boosts.${earlier}`, 'Remove one of them')
  })

/** Brands are compared without case and accents, as searches do. */
const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
const isSame = (field: string, one: string | undefined, other: string) =>
  one !== undefined && (field === 'brand' ? compare(one, other) === 0 : one === other)
