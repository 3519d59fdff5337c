import type { FitmentImport } from '../../storage/fitment/fitment-imports.ts'

/** Describes an import in a line. */
export const describeFitmentImport = ({
  source,
  counts,
  touched_at,
}: Pick<FitmentImport, 'source' | 'counts' | 'touched_at'>): string =>
  `${source}, ${formatFitmentCounts(counts)}, since ${touched_at}`

export const formatFitmentCounts = ({ fitments, skus, vehicles, universal }: FitmentImport['counts']): string =>
  `${formatCountedNoun(fitments, 'fitment')} and ${formatCountedNoun(universal, 'universal part')}: ${formatCountedNoun(skus, 'SKU')}, ${formatCountedNoun(vehicles, 'vehicle')}`

export const formatThousands = (count: number): string => count.toLocaleString('en')

/** Returns "1 vehicle", "2,000 vehicles". */
export const formatCountedNoun = (count: number, noun: string): string =>
  `${formatThousands(count)} ${noun}${count === 1 ? '' : 's'}`
