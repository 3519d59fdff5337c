import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** Adds the failed tries of orders, the ledger's number of an order, and the shoppers that an incident affected. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('orders').addColumn('order_number', 'text').execute()
  await schema.alterTable('incidents').addColumn('impact', 'text').execute()
  const tries = texts(schema.createTable('order_tries'), 'order_id at outcome kind')
  await numbers(tries, 'number ms').addPrimaryKeyConstraint('order_tries_key', ['order_id', 'number']).execute()
}
