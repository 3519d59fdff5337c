import * as auditLog from '../../../src/storage/operators/audit-log.ts'
import * as holdsAndPurges from '../../../src/storage/operators/holds-and-purges.ts'
import * as failedImports from '../../../src/storage/operators/import-status.ts'
import * as accounts from '../../../src/storage/operators/operator-accounts.ts'
import * as sessions from '../../../src/storage/operators/operator-sessions.ts'
import * as maintenance from '../../../src/storage/operators/system-maintenance.ts'
import { deleteExpiredRows } from '../../../src/storage/retention/delete-expired-rows.ts'
import { type ExpiringTable, retentionByTable } from '../../../src/storage/retention/table-retention.ts'
import { at, combinations, type QueryCalls, tenant } from './query-combinations.ts'

const circuit = { ...tenant, circuit: 'pricing' as const }
const planned = { ...tenant, system: 'pricing' as const, by: 'ann' }
const purge = { merchant: null, mode: null, skus: null, by: 'ann', now: 0 }
const entry = { operator: 'ann', role: 'support', action: 'x', target: {}, outcome: 'done' as const, address: null }

export const operatorModules = [auditLog, failedImports, accounts, sessions, holdsAndPurges, maintenance]

/** Calls each function that queries operators and their actions, and each deletion of expired rows. */
export const operatorCalls: QueryCalls = {
  listFailedImports: (db) => [failedImports.listFailedImports(db, '2026-01-01T00:00:00.000Z')],
  readShownImports: (db) => [failedImports.readShownImports(db)],
  writeAuditEntry: (db) => [auditLog.writeAuditEntry(db, entry, 0)],
  setAuditOutcome: (db) => [auditLog.setAuditOutcome(db, 'aud_1', 'failed')],
  listAuditLog: (db) =>
    combinations({ operator: 'ann', action: 'key.revoke', from: at, to: at, before: { at, entry_id: 'aud_1' } }).map(
      (more) => auditLog.listAuditLog(db, { ...more, limit: 9 }),
    ),
  findKeyRevoker: (db) => [auditLog.findKeyRevoker(db, 'key_1', 0)],
  addOperator: (db) => [accounts.addOperator(db, { name: 'ann', role: 'support', passwordHash: 'x' }, 0)],
  findOperator: (db) => [accounts.findOperator(db, 'ann')],
  lockOperator: (db) => [accounts.lockOperator(db, 'opr_1')],
  listOperators: (db) => [accounts.listOperators(db)],
  recordOperatorSignIn: (db) => [accounts.recordOperatorSignIn(db, 'opr_1', at)],
  updateOperatorAndEndSessions: (db) => [accounts.updateOperatorAndEndSessions(db, 'opr_1', { disabled_at: at })],
  updateOperator: (db) => [accounts.updateOperator(db, 'opr_1', { role: 'support' })],
  addOperatorSession: (db) => [
    sessions.addOperatorSession(db, 'token', { operatorId: 'opr_1', csrf: 'x' }, { at, expiresAt: at }),
  ],
  findOperatorSession: (db) => [sessions.findOperatorSession(db, 'token', { at, idleSince: at })],
  touchOperatorSession: (db) => [sessions.touchOperatorSession(db, 'digest', at)],
  endOperatorSession: (db) => [sessions.endOperatorSession(db, 'digest')],
  endAllOperatorSessions: (db) => [sessions.endAllOperatorSessions(db, 'opr_1')],
  addCircuitHold: (db) => [
    holdsAndPurges.addCircuitHold(db, circuit, { state: 'open', untilMs: 1, by: 'ann', now: 0 }),
  ],
  addCachePurge: (db) => [holdsAndPurges.addCachePurge(db, purge)],
  readHoldsAndPurgesSince: (db) => [holdsAndPurges.readHoldsAndPurgesSince(db, 0, 0)],
  startMaintenance: (db) => [maintenance.startMaintenance(db, { ...planned, untilMs: 1 }, 0)],
  endMaintenance: (db) => [maintenance.endMaintenance(db, planned, 0)],
  listMaintenance: (db) => [maintenance.listMaintenance(db, 0)],
  deleteExpiredRows: (db) =>
    (Object.keys(retentionByTable) as ExpiringTable[]).map((table) => deleteExpiredRows(db, table, 0, 9)),
}
