import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { normalizeRequestId } from '../../console/pages/requests/read-request-views-with-id.ts'
import { redactApiKeys } from '../../security/redact-api-keys.ts'
import { type CommandConfig, readCommandConfig } from '../command-config.ts'
import { createCommandMerchantDirectory } from '../command-merchant-directory.ts'
import { findConfigFile } from '../default-config-file.ts'
import { DEMO_LOG_FILE } from '../demo/demo-config.ts'
import { fileExists } from '../file-exists.ts'
import { parseChoiceOption, parseIntegerOption } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'
import { formatLogLine } from './format-log-line.ts'
import { type LogFilter, matchesFilter } from './log-filter.ts'
import { logLevels } from './log-level.ts'
import { type LogLine, parseLogLine } from './log-line.ts'
import { readLogLines } from './read-log-lines.ts'

export interface LogsOptions {
  config?: string
  follow?: boolean
  request?: string
  level?: string
  lines?: string
  pretty?: boolean
  timeZone?: string
}

const MAX_LINES = 100_000
/** The lines that are kept beyond twice those asked for, before the oldest are removed. */
const SPARE_LINES = 1_000
/** As `tail -f` and `journalctl -f` do. */
const FOLLOWED_LINES = 10

/** Prints the lines of the log that pass the filter. With `follow`, it goes on until it is stopped. */
export async function runLogs(options: LogsOptions): Promise<void> {
  const filter = toFilter(options)
  const lastLines = readLineCount(options)
  const config = readCommandConfig(options.config)
  const timeZone = createCommandMerchantDirectory(config, options.timeZone).inOneTimeZone.timeZone(null)
  const file = requireLogFile(config, options.config)
  const format = options.pretty ? (line: LogLine) => formatLogLine(line, timeZone) : ({ text }: LogLine) => text
  let held: LogLine[] | null = lastLines === null ? null : []
  let matches = 0
  for await (const text of readLogLines(file, { follow: options.follow === true })) {
    if (text === null) {
      for (const line of held?.slice(Math.max(0, held.length - lastLines!)) ?? []) await write(format(line))
      held = null
      if (matches === 0 && !options.follow) refuseUnknownId(filter, file)
      continue
    }
    const line = parseLogLine(text)
    if (!matchesFilter(line, filter)) continue
    matches += 1
    if (held === null) await write(format(line))
    // Not one at a time: each removal moves all others.
    else if (held.push(line) >= 2 * lastLines! + SPARE_LINES) held.splice(0, held.length - lastLines!)
  }
}

function toFilter({ request, level = 'trace' }: LogsOptions): LogFilter {
  const requestId = request === undefined ? null : normalizeRequestId(request)
  if (requestId === '') throw new UsageError('--request takes the id of a request, not ""')
  return { requestId, level: parseChoiceOption('--level', level.toLowerCase(), logLevels) }
}

/** A search for a request that finds nothing fails, as `forecourt why` does. */
function refuseUnknownId({ requestId, level }: LogFilter, file: string): void {
  if (requestId === null) return
  const levels = level === 'trace' ? '' : ` and the level ${level} or a higher one`
  throw new UsageError(
    `No line of ${file} has the request id ${redactApiKeys(requestId)}${levels}. Older lines may be in a rotated file. Each machine has a log of its own`,
  )
}

/** `null`: all lines. */
function readLineCount({ lines, follow }: LogsOptions): number | null {
  if (lines !== undefined) return parseIntegerOption('--lines', lines, { min: 0, max: MAX_LINES })
  return follow ? FOLLOWED_LINES : null
}

function requireLogFile({ log, dataDirectory, name }: CommandConfig, configFile: string | undefined): string {
  const file = findConfigFile(configFile) ? log.file : join(dataDirectory, DEMO_LOG_FILE)
  if (file === null)
    throw new UsageError(
      `${name} has no log.file, so the log goes to standard output: see the journal (journalctl -u forecourt), or what the container prints`,
    )
  const stats = fileExists(file) ? statSync(file) : undefined
  if (stats && !stats.isFile())
    throw new UsageError(
      `log.file is ${file}, which is ${stats.isDirectory() ? 'a directory' : 'no regular file'}, so no log can be read from it`,
    )
  if (!stats) throw new UsageError(`There is no log at ${file} yet. Run this on the machine where the server runs`)
  return file
}

/** Waits while a reader is slow: the log may be larger than memory. */
async function write(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}
