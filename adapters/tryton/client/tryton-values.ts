import { type Static, type TSchema, Type } from 'typebox'

export const TrytonDecimal = Type.Object({
  decimal: Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' }),
})
export const TrytonDate = Type.Object({ year: Type.Integer(), month: Type.Integer(), day: Type.Integer() })
export const TrytonDatetime = Type.Object({
  ...TrytonDate.properties,
  hour: Type.Integer(),
  minute: Type.Integer(),
  second: Type.Integer(),
  microsecond: Type.Integer(),
})
export const TrytonId = Type.Integer()
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** The times at which a record was created and last written; `null` before the first write. */
export const timestampFields = { create_date: nullable(TrytonDatetime), write_date: nullable(TrytonDatetime) }
/** Tryton on SQLite returns booleans as 0 and 1. */
export const TrytonBoolean = Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1)])
export type TrytonBoolean = Static<typeof TrytonBoolean>

type DateParts = { year: number; month: number; day: number }
type DatetimeParts = DateParts & { hour: number; minute: number; second: number; microsecond: number }

export function toIsoDate({ year, month, day }: DateParts): string {
  return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}`
}

/** Returns a time of Tryton, which is in UTC. Microseconds are cut off, so that a time never moves forward. */
export function toEpochMs(value: DatetimeParts): number {
  const ms = Math.floor(value.microsecond / 1000)
  return Date.UTC(value.year, value.month - 1, value.day, value.hour, value.minute, value.second, ms)
}

/** Returns a time as Tryton expects it in a domain. It compares ISO strings in domains wrongly. */
export function toTrytonDatetime(ms: number): object {
  const at = new Date(ms)
  return {
    __class__: 'datetime',
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: at.getUTCMilliseconds() * 1000,
  }
}

/** Returns a date as Tryton expects it; only a domain accepts an ISO string instead. */
export function toTrytonDate(iso: string): object {
  const [year, month, date] = iso.split('-').map(Number)
  return { __class__: 'date', year, month, day: date }
}

export const toTrytonDecimal = (decimal: string) => ({ __class__: 'Decimal', decimal })

/** Returns the latest of some times, which are `null` before the first write. */
export function latestEpochMs(...times: readonly (DatetimeParts | null | undefined)[]): number {
  return Math.max(0, ...times.filter((time) => time !== null && time !== undefined).map(toEpochMs))
}

type TimestampedRow = { create_date: DatetimeParts | null; write_date: DatetimeParts | null }
export const lastWrittenAtMs = ({ create_date, write_date }: TimestampedRow): number =>
  latestEpochMs(create_date, write_date)

/** The id of a customer, an order or an invoice; `null` for text that cannot be an id of Tryton. */
export const parseRecordId = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)

const padTwo = (value: number) => String(value).padStart(2, '0')
