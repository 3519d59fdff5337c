import type { Kysely } from 'kysely'

/** Adds what request records are searched by: the customer, the SKUs and the codes of sections. Older records have none of them. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const column of ['customer_id', 'skus', 'section_codes'])
    await schema.alterTable('request_records').addColumn(column, 'text').execute()
}
