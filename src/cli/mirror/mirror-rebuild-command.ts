import { createMirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { type RebuildProgress, rebuildMirror } from '../../changes/mirror/rebuild-mirror.ts'
import { rereadCatalog } from '../../changes/schedule/reread-catalog.ts'
import { readStoreTime } from '../../storage/store-clock.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig } from '../command-config.ts'
import { formatThousands } from '../format-counts.ts'
import { print, printJson } from '../print.ts'
import { withExistingStore } from '../with-store.ts'
import { type MirrorCommandOptions, requireMirroredTenant } from './mirror-tenants.ts'

interface MirrorRebuildOptions extends MirrorCommandOptions {
  fromSystems?: boolean
}

const TERMINAL_INTERVAL_MS = 100
const LINE_INTERVAL_MS = 10_000
const BAR_WIDTH = 30
const ERASE_LINE = '\r\u001b[K'

/** Builds a new mirror from the store, and makes it the current one on this machine. */
export async function runMirrorRebuild(merchant: string, options: MirrorRebuildOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireMirroredTenant(config, merchant, options)
  const { dataDirectory, store } = config
  const progress = createRebuildProgress(process.stderr, () => performance.now())
  const result = await withExistingStore(store, async (db) => {
    if (options.fromSystems) {
      await rereadCatalog(db, tenant, await readStoreTime(db))
      await auditCommand(db, 'mirror.restart', { ...tenant })
    }
    await using threads = createMirrorThreads()
    try {
      return await rebuildMirror({ db, tenant, dataDirectory, threads, onProgress: progress.show })
    } finally {
      progress.end()
    }
  })
  if (options.json) return printJson({ ...result, fromSystems: options.fromSystems ?? false })
  print(
    `Rebuilt the mirror of ${tenant.merchant} ${tenant.mode}: ${formatThousands(result.rows)} SKUs, ${formatThousands(result.compared)} compared with the store.`,
  )
  if (options.fromSystems) print('The change feed reads the whole catalog again. The mirror stays in use meanwhile.')
}

/** Shows a bar on a terminal. Elsewhere it prints a line now and then. */
export function createRebuildProgress(stream: { isTTY?: boolean; write(text: string): unknown }, now: () => number) {
  const intervalMs = stream.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS
  let shownAt = stream.isTTY ? Number.NEGATIVE_INFINITY : now()
  let isLineVisible = false
  return {
    show({ rows, total }: RebuildProgress): void {
      if (now() - shownAt < intervalMs) return
      shownAt = now()
      const share = total === 0 ? 1 : rows / total
      const counts = `${formatThousands(rows)} of ${formatThousands(total)} SKUs, ${Math.floor(share * 100)} %`
      const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH)
      stream.write(stream.isTTY ? `${ERASE_LINE}[${bar}] ${counts}` : `${counts}\n`)
      isLineVisible = stream.isTTY ?? false
    },
    end(): void {
      if (isLineVisible) stream.write(ERASE_LINE)
      isLineVisible = false
    },
  }
}
