import { styleText } from 'node:util'
import { escapeControlCharacters } from '../escape-control-characters.ts'
import { formatLogError, formatLogSections } from './format-log-error-and-sections.ts'
import { type LogLevel, toLevelName, toLevelNumber } from './log-level.ts'
import type { LogLine } from './log-line.ts'

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

/** Formats a line for people: its time in this zone, level, message and members. Colours only at a terminal. An odd line is as it is in the file. */
export function formatLogLine(line: LogLine, timeZone: string): string {
  if (line.members === null) return escapeControlCharacters(line.text)
  try {
    return formatMembers(line.members, timeZone)
  } catch {
    // An object with a `toString` of its own, for one.
    return escapeControlCharacters(line.text)
  }
}

function formatMembers(members: NonNullable<LogLine['members']>, timeZone: string): string {
  const { level, time, msg, err, ...rest } = members
  const name = toLevelName(level)
  const levelText = escapeControlCharacters(name ?? String(level))
    .toUpperCase()
    .padEnd(LEVEL_WIDTH)
  const fields = Object.entries(rest).map(
    ([key, value]) => `${styleText('gray', `${escapeControlCharacters(key)}=`)}${formatMember(key, value)}`,
  )
  const head = [
    formatLogTime(time, timeZone),
    name ? styleText(styles[name], levelText) : levelText,
    escapeControlCharacters(String(msg ?? '')),
  ]
  const isSerious = (toLevelNumber(level) ?? 0) >= toLevelNumber('error')!
  return `${[...head, ...fields].join(' ')}${err === undefined ? '' : formatLogError(err, { isWhole: isSerious })}`
}

/** A time that is none, or that is outside what dates can say, is written as it is. */
function formatLogTime(time: unknown, timeZone: string): string {
  if (time === undefined) return '-'
  const ms = new Date(typeof time === 'number' ? time : String(time)).getTime()
  if (Number.isNaN(ms)) return escapeControlCharacters(String(time))
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  return zoned.toString({ smallestUnit: 'millisecond', timeZoneName: 'never' })
}

function formatMember(key: string, value: unknown): string {
  const sections = key === 'sections' ? formatLogSections(value) : null
  if (sections !== null) return escapeControlCharacters(sections)
  if (typeof value === 'string' && PLAIN.test(value)) return value
  return escapeControlCharacters(JSON.stringify(value))
}
