import { createCsvFormat } from '../imports/csv-format.ts'
import type { FileFormat } from '../imports/file-format.ts'
import { fitmentCsvColumns } from './csv-columns.ts'
import { type FitmentLine, parseFitmentLine } from './fitment-line.ts'

/** A fitment file in CSV. `market`: of lines without one; empty: any. */
export const createFitmentCsvFormat = (market: string): FileFormat<FitmentLine> =>
  createCsvFormat(fitmentCsvColumns, (cell) => parseFitmentLine(cell, market))
