import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { CustomerDraft } from '../../../src/ports/customer.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { isRejected } from '../client/rpc-errors.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import type { CustomerReader } from './customer-reader.ts'
import { toPartyCode } from './party-code.ts'
import { toPartyNames } from './party-name-mapping.ts'

const Ids = responseSchema(Type.Array(TrytonId))
export function connectCreateCustomer(
  { rpc }: TrytonContext,
  { customer, findCustomer }: CustomerReader,
): Required<Pick<AccountingPort, 'createCustomer'>> {
  async function findByReference(reference: string, call: Call): Promise<number | undefined> {
    const domain = [
      ['code', '=', toPartyCode(reference)],
      ['active', 'in', [true, false]],
    ]
    const [id] = await rpc(Ids, 'party.party.search', [domain, 0, 1, null], call)
    return id
  }

  /** Creates the party. The database refuses a second one with the same reference, and the first one is found instead. */
  async function createParty(draft: CustomerDraft, call: Call): Promise<number> {
    let lastError: unknown
    for (const withPhone of draft.phone ? [true, false] : [false]) {
      try {
        const [id] = await rpc(Ids, 'party.party.create', [[toPartyValues(draft, withPhone)]], call)
        return id!
      } catch (error) {
        if (!isRejected(error)) throw error
        lastError = error
        const id = await findByReference(draft.reference, call)
        if (id !== undefined) return id
      }
    }
    throw lastError
  }

  return {
    async createCustomer(draft, call) {
      let id = await findByReference(draft.reference, call)
      if (id === undefined && (await findCustomer(draft.email, call))) {
        // A call with the same reference may have created it a moment ago.
        id = await findByReference(draft.reference, call)
        if (id === undefined) throw new UpstreamError('rejected', 'another customer has this email address')
      }
      const created = await customer(String(id ?? (await createParty(draft, call))), call)
      if (!created) throw new UpstreamError('invalid', 'the created party cannot be read')
      return created
    },
  }
}

/**
 * Returns the values of a new party. Tryton accepts only phone numbers that can be dialled; any other is stored as a
 * contact of type "other".
 */
function toPartyValues(draft: CustomerDraft, withPhone: boolean): object {
  const { party, mailbox } = toPartyNames(draft)
  const email = { type: 'email', value: draft.email, name: mailbox }
  const phone = draft.phone ? [{ type: withPhone ? 'phone' : 'other', value: draft.phone }] : []
  return { name: party, code: toPartyCode(draft.reference), contact_mechanisms: [['create', [email, ...phone]]] }
}
