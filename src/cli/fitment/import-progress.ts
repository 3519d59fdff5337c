import type { ImportProgress } from '../../fitment/import-report.ts'

const ON_TERMINAL_MS = 200
const ELSEWHERE_MS = 10_000

export interface ImportProgressParts {
  /** Of the whole file; `null`: nobody knows. */
  bytes: number | null
  stream: { isTTY?: boolean; write(text: string): unknown }
  now: () => number
}

/** Says how far an import has come: over and over on one line of a terminal, now and then elsewhere. */
export function createImportProgress({ bytes, stream, now }: ImportProgressParts) {
  const startedAt = now()
  const everyMs = stream.isTTY ? ON_TERMINAL_MS : ELSEWHERE_MS
  let toldAt = startedAt
  let isShown = false

  function lineOf({ bytes: read, rows }: ImportProgress): string {
    const seconds = Math.max(0.001, (now() - startedAt) / 1_000)
    const share = bytes ? `, ${Math.min(100, Math.floor((read / bytes) * 100))} %` : ''
    return `${rows.toLocaleString('en')} rows read, ${Math.round(rows / seconds).toLocaleString('en')} a second${share}`
  }

  return {
    show(progress: ImportProgress): void {
      if (now() - toldAt < everyMs) return
      toldAt = now()
      stream.write(stream.isTTY ? `\r\u001b[K${lineOf(progress)}` : `${lineOf(progress)}\n`)
      isShown = stream.isTTY ?? false
    },
    /** Before anything else is said. */
    end(): void {
      if (isShown) stream.write('\r\u001b[K')
      isShown = false
    },
  }
}
