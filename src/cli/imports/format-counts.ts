export const formatThousands = (count: number): string => count.toLocaleString('en')

/** Returns "1 vehicle", "2,000 vehicles". */
export const formatCountedNoun = (count: number, noun: string): string =>
  `${formatThousands(count)} ${noun}${count === 1 ? '' : 's'}`

const EXAMPLES = 10

/** Lists the first few names. */
export const formatExamples = (names: readonly string[]): string =>
  `${names.slice(0, EXAMPLES).join(', ')}${names.length > EXAMPLES ? ' …' : ''}`
