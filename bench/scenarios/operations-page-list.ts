import type { Database } from '../../src/storage/database.ts'

/** Returns the paths of the operations pages, with filters that find much and little, and of searches. */
export async function listOperationsPages(db: Database, orderId: string): Promise<string[]> {
  const incidents = db.selectFrom('incidents').select(['incident_id', 'last_at']).where('tenant_id', '=', 'acme')
  const newest = await incidents.orderBy('last_at', 'desc').limit(1).executeTakeFirstOrThrow()
  const oldest = await incidents.orderBy('last_at').limit(1).executeTakeFirstOrThrow()
  const middle = await incidents.orderBy('last_at').offset(1_000).limit(1).executeTakeFirstOrThrow()
  const records = db
    .selectFrom('request_records')
    .select(['request_id', 'key_id', 'at'])
    .where('tenant_id', '=', 'acme')
  const record = await records.orderBy('at').offset(10_000).limit(1).executeTakeFirstOrThrow()
  const at = encodeURIComponent(middle.last_at.slice(0, 16))
  const older = encodeURIComponent(`${middle.last_at}~${middle.incident_id}`)
  const live = 'merchant=acme&mode=live'
  return [
    ...['/', '/incidents', `/incidents?${live}`, '/incidents?state=open', '/incidents?state=over'],
    ...[`/incidents?before=${older}`, `/incidents?at=${at}&zone=UTC`, `/incidents?at=${at}&zone=UTC&within=1440`],
    ...[newest, middle, oldest].map(({ incident_id }) => `/incidents/${incident_id}`),
    ...['json', 'csv'].map((format) => `/incidents/${middle.incident_id}/export.${format}`),
    ...['1h', '24h', '7d', '30d'].map((range) => `/timeline?${live}&range=${range}`),
    ...['1h', '30d'].map((range) => `/timeline/series?${live}&range=${range}`),
    ...['/request', `/request?${live}`, '/request?kind=refused', `/request?${live}&kind=slow`],
    ...[`/request?at=${at}&zone=UTC`, `/request?${live}&at=${at}&zone=UTC&within=1440`],
    ...[
      `/request?${live}&sku=BP-1042`,
      '/request?sku=BP-9999',
      `/request?${live}&customer=C-1042`,
      '/request?customer=C-9',
    ],
    ...[`/request?key=${record.key_id}`, '/request?code=downstream_timeout', '/request?code=circuit_open'],
    ...['/request?route=checkout', '/request?route=getCart', '/request?status=504', '/request?status=5xx'],
    `/request?id=${record.request_id}`,
    ...['/circuits/acme/live/pricing', '/cache', '/webhooks', '/keys', '/mirrors', '/audit', '/time-zone'],
    ...[`/orders/${orderId}`, `/keys/${record.key_id}`, '/codes/downstream_timeout'],
    ...['/customers/acme/live/C-1001', '/products/acme/live/BP-1001'],
    ...[record.request_id, record.request_id.toUpperCase(), orderId, newest.incident_id, record.key_id!].map(toSearch),
    ...['BP-1001', 'BP-4999', 'C-1001', 'brake pads', 'downstream_timeout', 'acme', '14:05', 'nothing at all'].map(
      toSearch,
    ),
  ]
}

const toSearch = (text: string | null) => `/find?q=${encodeURIComponent(text ?? '')}`
