import { expect } from 'chai'
import { describeConsoleBesideApi } from '../../support/describe-console-beside-api.ts'
import { insertFailedDelivery } from '../insert-failed-delivery.ts'

describeConsoleBesideApi('values that a store cannot hold', (site) => {
  it('make no page or action fail', async () => {
    const { id } = await insertFailedDelivery(site.api)
    for (const path of [
      '/incidents/%00',
      '/incidents?before=%00~%00',
      '/incidents?merchant=%00&mode=%00&state=%00',
      '/request?id=%00',
      '/request?merchant=%00',
      '/timeline?merchant=%00&range=%00',
      '/timeline/series?merchant=%00',
      '/circuits/%00/live/pricing',
      `/webhooks/${id}/deliveries/%00`,
    ])
      expect((await site.support.get(path)).status, path).to.be.oneOf([200, 404])
    const { cookie, csrf } = site.operator
    for (const [path, form] of [
      [`/webhooks/${id}/deliveries/%00/redeliver`, {}],
      ['/circuits/%00/live/pricing/hold', { state: '\0', minutes: '\0' }],
      ['/cache/purge', { merchant: 'acme', skus: 'A\0B' }],
      ['/cache/purge', { merchant: '\0', skus: '\0' }],
    ] as const)
      expect((await site.postForm(path, { csrf, ...form }, cookie)).status, path).to.equal(303)
  })
})
