/** Requests can share an id. */
export function describeSharedId(records: readonly { isOfDemoShop: boolean }[]): string {
  const calls = records.filter((record) => !record.isOfDemoShop).length
  const count = `${records.length} ${calls === records.length ? 'requests' : 'records'} have this id`
  return calls < records.length && calls > 0
    ? `${count}: of one request. The browser sent it to the server of the demo shop, and this server called the API with the same id.`
    : `${count}, because clients can choose their own ids.`
}
