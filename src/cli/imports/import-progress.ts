import type { ImportProgress } from '../../imports/import-report.ts'
import { formatThousands } from '../format-counts.ts'

const TERMINAL_INTERVAL_MS = 200
const LOG_INTERVAL_MS = 10_000
const ERASE_LINE = '\r\u001b[K'

export interface ImportProgressParts {
  /** The size of the whole file; `null`: unknown. */
  bytes: number | null
  stream: { isTTY?: boolean; write(text: string): unknown }
  now: () => number
}

/** Reports the progress of an import: on a terminal it rewrites one line, elsewhere it prints a line now and then. */
export function createImportProgress({ bytes, stream, now }: ImportProgressParts) {
  const startedAt = now()
  const intervalMs = stream.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS
  let lastShownAt = startedAt
  let isLineVisible = false

  function formatProgress({ bytes: bytesRead, rows }: ImportProgress): string {
    const seconds = Math.max(0.001, (now() - startedAt) / 1_000)
    const percent = bytes ? `, ${Math.min(100, Math.floor((bytesRead / bytes) * 100))} %` : ''
    return `${formatThousands(rows)} rows read, ${formatThousands(Math.round(rows / seconds))} per second${percent}`
  }

  return {
    show(progress: ImportProgress): void {
      if (now() - lastShownAt < intervalMs) return
      lastShownAt = now()
      stream.write(stream.isTTY ? `${ERASE_LINE}${formatProgress(progress)}` : `${formatProgress(progress)}\n`)
      isLineVisible = stream.isTTY ?? false
    },
    /** Erases the line, before anything else is printed. */
    end(): void {
      if (isLineVisible) stream.write(ERASE_LINE)
      isLineVisible = false
    },
  }
}
