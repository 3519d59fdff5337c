import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'

const Reference = Type.Optional(Type.Union([TrytonId, Type.Null()]))
const Party = Type.Object({ id: TrytonId, sale_price_list: Reference, customer_tax_rule: Reference })
const Parties = responseSchema(Type.Array(Party))

/** Reads the price list and tax rule of a party. Rejects an unknown one: the public price must never replace that of a customer. */
export async function readPartyPricing(
  rpc: Rpc,
  id: number,
  call: Call,
  fields: string[],
): Promise<Static<typeof Party>> {
  // A customer on hold still sees their prices.
  const domain = [
    ['id', '=', id],
    ['active', 'in', [true, false]],
  ]
  const [party] = await rpc(Parties, 'party.party.search_read', [domain, 0, 1, null, fields], call)
  if (party === undefined) throw new UpstreamError('rejected', `there is no party ${id}`)
  return party
}
