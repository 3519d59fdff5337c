import * as reservations from '../../../src/storage/commerce/credit-reservations.ts'
import { at, type QueryCalls, tenant } from './query-combinations.ts'

const customer = { ...tenant, customer_id: 'C-1' }

export const creditReservationModules = [reservations]

/** Calls each function of the reservations of a customer's credit. */
export const creditReservationCalls: QueryCalls = {
  lockCustomerCredit: (db) => [reservations.lockCustomerCredit(db, customer)],
  listCreditReservations: (db) => [reservations.listCreditReservations(db, customer)],
  clearCreditReservations: (db) => [reservations.clearCreditReservations(db, customer, at)],
}
