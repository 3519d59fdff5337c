import { childrenOf } from '../../imports/xml-elements.ts'
import type { XmlElement } from '../../imports/xml-reader.ts'

/** Which description of an item is imported. */
export interface DescriptionChoice {
  /** The first DescriptionCode that an item has counts. */
  codes: readonly string[]
  /** ISO 639-1, in lower case. */
  language: string
}

/** Marketing text, extended, long and short description. */
export const defaultDescriptionChoice: DescriptionChoice = { codes: ['MKT', 'EXT', 'DES', 'SHO'], language: 'en' }

/** The descriptions of a file with one code in one language. */
export interface DescriptionCount {
  code: string
  /** Empty: neither they nor the header of the file name one. */
  language: string
  count: number
  /** It may be imported: an item with a description of an earlier code has that one. */
  isChosen: boolean
}

/** The description of an item: parts of one code, in their order. */
export interface ItemDescription {
  parts: readonly XmlElement[]
  text: string
}

export interface DescriptionReader {
  /** Sets the language of descriptions that do not name one. */
  setDefaultLanguage(language: string): void
  /** Returns the chosen description; `null`: the item has none. */
  read(item: XmlElement): ItemDescription | null
  listDescriptions(): DescriptionCount[]
}

export function createDescriptionReader({ codes, language }: DescriptionChoice): DescriptionReader {
  const counts = new Map<string, DescriptionCount>()
  let defaultLanguage = ''

  /** A description of which nobody knows the language is probably in that of the merchant. */
  const isChosenLanguage = (of: string) => of === language || of === ''

  function count(code: string, of: string): void {
    const key = `${code} ${of}`
    const isChosen = isChosenLanguage(of) && codes.includes(code)
    const entry = counts.getOrInsertComputed(key, () => ({ code, language: of, count: 0, isChosen }))
    entry.count += 1
  }

  function readDescription(element: XmlElement) {
    const { DescriptionCode = '', LanguageCode = defaultLanguage, Sequence = '' } = element.attributes
    const read = { element, code: DescriptionCode.trim().toUpperCase(), language: toLanguage(LanguageCode) }
    count(read.code, read.language)
    return { ...read, sequence: Number(Sequence) || 0 }
  }

  return {
    setDefaultLanguage(of) {
      defaultLanguage = of
    },
    read(item) {
      const found = childrenOf(item, 'Descriptions')
        .flatMap((list) => childrenOf(list, 'Description'))
        .filter(({ text }) => text !== '')
        .map(readDescription)
        .filter((one) => isChosenLanguage(one.language))
      const chosen = codes.find((code) => found.some((one) => one.code === code))
      if (chosen === undefined) return null
      const ofCode = found.filter(({ code }) => code === chosen).sort((one, other) => one.sequence - other.sequence)
      return {
        parts: ofCode.map(({ element }) => element),
        text: ofCode.map(({ element }) => element.text).join('\n'),
      }
    },
    listDescriptions: () => [...counts.values()].sort((one, other) => other.count - one.count),
  }
}

/** "EN" and "en-US" are one language. */
const toLanguage = (code: string): string => code.trim().toLowerCase().split(/[-_]/)[0]!
