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
/** When a record was made, and last written: `null` until it is written for the first time. */
export const timestampFields = { create_date: nullable(TrytonDatetime), write_date: nullable(TrytonDatetime) }
/** On SQLite, Tryton hands on what that keeps: 0 and 1. */
export const TrytonBoolean = Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1)])
export type TrytonBoolean = Static<typeof TrytonBoolean>

type DateParts = { year: number; month: number; day: number }
type DatetimeParts = DateParts & { hour: number; minute: number; second: number; microsecond: number }

export function toIsoDate({ year, month, day }: DateParts): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** Tryton's times have no zone: the server runs in UTC. Microseconds are cut off, so that a time never moves forward. */
export function toEpochMs(value: DatetimeParts): number {
  const ms = Math.floor(value.microsecond / 1000)
  return Date.UTC(value.year, value.month - 1, value.day, value.hour, value.minute, value.second, ms)
}

/** A time as Tryton wants it in a domain; it compares ISO strings wrongly. */
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

/** A day as Tryton wants it; it takes an ISO string for one too, in a domain alone. */
export function toTrytonDate(iso: string): object {
  const [year, month, date] = iso.split('-').map(Number)
  return { __class__: 'date', year, month, day: date }
}

export const toTrytonDecimal = (decimal: string) => ({ __class__: 'Decimal', decimal })

/** The latest of some times of Tryton's, which are `null` until a record is written for the first time. */
export function latestEpochMs(...times: readonly (DatetimeParts | null | undefined)[]): number {
  return Math.max(0, ...times.filter((time) => time !== null && time !== undefined).map(toEpochMs))
}

type Dated = { create_date: DatetimeParts | null; write_date: DatetimeParts | null }
export const lastWrittenAtMs = ({ create_date, write_date }: Dated): number => latestEpochMs(create_date, write_date)

export function toSlug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'x'
}

const two = (value: number) => String(value).padStart(2, '0')
