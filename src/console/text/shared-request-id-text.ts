/** Says how many records have one request id, and why. */
export function describeSharedId(records: readonly { isOfDemoShop: boolean }[]): string {
  const calls = records.filter((record) => !record.isOfDemoShop).length
  const count = `${records.length} ${calls === records.length ? 'requests' : 'records'} have this id`
  return calls < records.length && calls > 0
    ? `${count}, and belong to one request: the browser sent it to the server of the demo shop, which called the API with the same id.`
    : `${count}, because clients can choose their own ids.`
}
