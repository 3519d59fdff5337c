import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { CustomerDraft } from '../../../src/ports/customer.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type AccountingContext, isRejected } from '../accounting-context.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { CustomerReader } from './customer-reader.ts'
import { toPartyNames } from './party-names.ts'

const Ids = responseSchema(Type.Array(TrytonId))
const PREFIX = 'WEB-'

/** The code of a party is the one thing of it that the database keeps unique: the reference of a creation stands there. */
const codeOf = (reference: string) => `${PREFIX}${reference}`

/** A code that a reference made is none that people should read out on the telephone. */
export const toAccountNumber = (code: string | null) => (code && !code.startsWith(PREFIX) ? code : null)

export function connectCreateCustomer(
  { rpc }: AccountingContext,
  { customer, findCustomer }: CustomerReader,
): Required<Pick<AccountingPort, 'createCustomer'>> {
  async function made(reference: string, call: Call): Promise<number | undefined> {
    const domain = [
      ['code', '=', codeOf(reference)],
      ['active', 'in', [true, false]],
    ]
    const [id] = await rpc(Ids, 'party.party.search', [domain, 0, 1, null], call)
    return id
  }

  /** Whoever comes second is refused by the database, and finds the first one's. */
  async function make(draft: CustomerDraft, call: Call): Promise<number> {
    let refused: unknown
    for (const withPhone of draft.phone ? [true, false] : [false]) {
      try {
        const [id] = await rpc(Ids, 'party.party.create', [[valuesOf(draft, withPhone)]], call)
        return id!
      } catch (error) {
        if (!isRejected(error)) throw error
        refused = error
        const id = await made(draft.reference, call)
        if (id !== undefined) return id
      }
    }
    throw refused
  }

  return {
    async createCustomer(draft, call) {
      let id = await made(draft.reference, call)
      if (id === undefined && (await findCustomer(draft.email, call))) {
        // It may have been made by this very reference, a moment ago.
        id = await made(draft.reference, call)
        if (id === undefined) throw new UpstreamError('rejected', 'another customer has this mailbox')
      }
      const found = await customer(String(id ?? (await make(draft, call))), call)
      if (!found) throw new UpstreamError('invalid', 'the new party cannot be read')
      return found
    },
  }
}

/** Tryton takes a telephone number that can be dialled alone; any other is kept as a contact of no kind. */
function valuesOf(draft: CustomerDraft, withPhone: boolean): object {
  const { party, mailbox } = toPartyNames(draft)
  const email = { type: 'email', value: draft.email, name: mailbox }
  const phone = draft.phone ? [{ type: withPhone ? 'phone' : 'other', value: draft.phone }] : []
  return { name: party, code: codeOf(draft.reference), contact_mechanisms: [['create', [email, ...phone]]] }
}
