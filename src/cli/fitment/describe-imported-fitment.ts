import type { FitmentImport } from '../../storage/fitment/fitment-imports.ts'
import { formatCountedNoun } from '../format-counts.ts'

export const formatFitmentCounts = ({ fitments, skus, vehicles, universal }: FitmentImport['counts']): string =>
  `${formatCountedNoun(fitments, 'fitment')} and ${formatCountedNoun(universal, 'universal part')}: ${formatCountedNoun(skus, 'SKU')}, ${formatCountedNoun(vehicles, 'vehicle')}`

/** Describes an import in a line. */
export const describeImportedFitment = ({
  source,
  counts,
  touched_at,
}: Pick<FitmentImport, 'source' | 'counts' | 'touched_at'>): string =>
  `${source}, ${formatFitmentCounts(counts)}, since ${touched_at}`
