import { styleText } from 'node:util'
import { escapeControls } from '../escape-controls.ts'
import { type LogLevel, type LogLine, toLevelName } from './log-line.ts'

type TextStyle = Parameters<typeof styleText>[0]

const styles: Readonly<Record<LogLevel, TextStyle>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
}
const LEVEL_WIDTH = 5
/** Values of these characters need no quotes. */
const PLAIN = /^[\w\-./:+@%?=&,~*]+$/

/** Formats a line for people: its time in the time zone of this machine, level, message and members. Colours only at a terminal. */
export function formatLogLine({ text, members }: LogLine): string {
  if (members === null) return escapeControls(text)
  const { level, time, msg, err, ...rest } = members
  const name = toLevelName(level)
  const levelText = (name ?? String(level)).toUpperCase().padEnd(LEVEL_WIDTH)
  const fields = Object.entries(rest).map(([key, value]) => `${styleText('gray', `${key}=`)}${formatValue(value)}`)
  const head = [
    formatTime(time),
    name ? styleText(styles[name], levelText) : levelText,
    escapeControls(String(msg ?? '')),
  ]
  return `${[...head, ...fields].join(' ')}${formatError(err)}`
}

function formatTime(time: unknown): string {
  const ms = typeof time === 'number' ? time : Date.parse(String(time))
  if (!Number.isFinite(ms)) return escapeControls(String(time))
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(Temporal.Now.timeZoneId())
  return zoned.toString({ smallestUnit: 'millisecond', timeZoneName: 'never' })
}

function formatValue(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value
  return escapeControls(JSON.stringify(value))
}

/** The stack of an error, on lines of its own. */
function formatError(err: unknown): string {
  if (err === undefined) return ''
  const stack = (err as { stack?: unknown } | null)?.stack
  const text = typeof stack === 'string' ? stack : JSON.stringify(err)
  return text
    .split('\n')
    .map((line) => `\n    ${escapeControls(line)}`)
    .join('')
}
