import { type Kysely, sql } from 'kysely'
import { LATENCY_BOUNDS_MS } from '../tables/diagnostics-tables.ts'
import { numbers, texts } from './columns.ts'

const latency = [...LATENCY_BOUNDS_MS.map((ms) => `le_${ms}`), 'over'].join(' ')

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const keyed = (table: string, key: string) =>
    schema.createTable(table).addColumn(key, 'text', (of) => of.primaryKey())

  await numbers(
    texts(
      keyed('incidents', 'incident_id'),
      'tenant_id mode system section began_at last_at well_at? ended_at? codes samples',
    ),
    'answers',
  ).execute()
  await schema
    .createIndex('incidents_open')
    .unique()
    .on('incidents')
    .columns(['tenant_id', 'mode', 'system', 'section'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await schema.createIndex('incidents_in_time').on('incidents').columns(['last_at', 'incident_id']).execute()
  await schema
    .createIndex('incidents_of_merchant')
    .on('incidents')
    .columns(['tenant_id', 'mode', 'last_at', 'incident_id'])
    .execute()

  await texts(keyed('breaker_changes', 'change_id'), 'tenant_id mode system process at state by?').execute()
  await schema.createIndex('breaker_changes_in_time').on('breaker_changes').columns(['at', 'change_id']).execute()
  await schema
    .createIndex('breaker_changes_of_merchant')
    .on('breaker_changes')
    .columns(['tenant_id', 'mode', 'at', 'change_id'])
    .execute()

  await numbers(
    texts(schema.createTable('timeline'), 'tenant_id mode system section step at'),
    `total degraded stale ${latency}`,
  )
    .addPrimaryKeyConstraint('timeline_key', ['tenant_id', 'mode', 'step', 'at', 'system', 'section'])
    .execute()
  await schema.createIndex('timeline_in_time').on('timeline').columns(['step', 'at']).execute()

  await numbers(
    texts(keyed('request_records', 'record_id'), 'request_id tenant_id? mode at kind route code? key_id? document'),
    'status ms',
  ).execute()
  await schema.createIndex('request_records_asked').on('request_records').columns(['request_id']).execute()
  await schema
    .createIndex('request_records_in_time')
    .on('request_records')
    .columns(['tenant_id', 'mode', 'kind', 'at', 'record_id'])
    .execute()

  await numbers(
    texts(schema.createTable('key_days'), 'key_id day last_refusal_code? last_refused_at?'),
    'requests refused limited',
  )
    .addPrimaryKeyConstraint('key_days_key', ['key_id', 'day'])
    .execute()

  await texts(keyed('process_states', 'process'), 'at document').execute()

  await texts(keyed('operators', 'operator_id'), 'name role password_hash created_at disabled_at? last_signed_in_at?')
    .addUniqueConstraint('operators_name', ['name'])
    .execute()
  await texts(keyed('operator_sessions', 'digest'), 'operator_id csrf created_at seen_at expires_at').execute()
  await texts(keyed('audit_log', 'entry_id'), 'at operator role action target outcome address?').execute()
  await schema.createIndex('audit_log_in_time').on('audit_log').columns(['at', 'entry_id']).execute()

  await texts(
    keyed('directives', 'directive_id'),
    'kind tenant_id? mode? system? state? skus? by created_at until?',
  ).execute()
  await schema.createIndex('directives_in_time').on('directives').columns(['created_at']).execute()
}
