import type { CreateTableBuilder } from 'kysely'

type Table = CreateTableBuilder<string, string>

/** With columns of text; a name that ends with `?` may be null. */
export function texts(table: object, names: string): Table {
  return names.split(' ').reduce<Table>((built, name) => {
    return built.addColumn(name.replace('?', ''), 'text', (of) => (name.endsWith('?') ? of : of.notNull())) as Table
  }, table as Table)
}

/** With columns of whole numbers. */
export function numbers(table: object, names: string): Table {
  return names
    .split(' ')
    .reduce<Table>((built, name) => built.addColumn(name, 'integer', (of) => of.notNull()) as Table, table as Table)
}
