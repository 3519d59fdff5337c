import { expect } from 'chai'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { TrytonUserWarning } from '../../../adapters/tryton/client/rpc-errors.ts'
import { createWarningConfirmation } from '../../../adapters/tryton/orders/warning-confirmation.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { recordedLogin } from '../../support/tryton/connect-tryton.ts'

describe('tryton: warnings', () => {
  const warn = (name: string) => new TrytonUserWarning(name, 'are you sure?', 'are you sure?')

  it('that are harmless are confirmed, and the work is repeated', async () => {
    const said: unknown[] = []
    const rpc = (async (_: unknown, method: string, params: unknown[]) => {
      said.push([method, params[0]])
      return [7]
    }) as unknown as Rpc
    const warnings = [warn('stock_quantity_warning_1'), warn('stock_quantity_warning_2')]
    const work = async () => {
      const next = warnings.shift()
      if (next) throw next
      return 'done'
    }
    expect(await createWarningConfirmation(rpc, recordedLogin)(work, createCall())).to.equal('done')
    expect(said).to.deep.equal([
      ['res.user.search', [['login', '=', recordedLogin.user]]],
      ['res.user.warning.create', [{ user: 7, name: 'stock_quantity_warning_1', always: false }]],
      ['res.user.warning.create', [{ user: 7, name: 'stock_quantity_warning_2', always: false }]],
    ])
  })

  it('about credit are not confirmed', async () => {
    const never = (() => Promise.reject(new Error('asked'))) as unknown as Rpc
    const limit = warn('credit_limit_amount_sale.sale,9')
    const asked = createWarningConfirmation(never, recordedLogin)(() => Promise.reject(limit), createCall())
    expect(await failureOf(asked)).to.equal(limit)
  })
})
