export const formatThousands = (count: number): string => count.toLocaleString('en')

/** Returns "1 vehicle", "2,000 vehicles". */
export const formatCountedNoun = (count: number, noun: string): string =>
  `${formatThousands(count)} ${noun}${count === 1 ? '' : 's'}`
