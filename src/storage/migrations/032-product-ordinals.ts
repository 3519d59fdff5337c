import type { Kysely } from 'kysely'

/** Adds the number of each product in the order in which products were added. Servers number the existing ones when they fill their mirrors. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('catalog_products').addColumn('ordinal', 'integer').execute()
  await schema
    .alterTable('catalog_sequences')
    .addColumn('products', 'integer', (of) => of.notNull().defaultTo(0))
    .execute()
}
