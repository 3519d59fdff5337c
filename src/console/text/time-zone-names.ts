/** Zones that the IANA database has renamed. ICU, and with it Node.js and browsers, still names them as before. */
const currentNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the name that the IANA database gives to a zone today. */
export const toCurrentZoneName = (name: string): string => currentNames[name] ?? name

/** The zones of a region. In a list, each begins with the name of its city, by which browsers find an entry while somebody types. */
export interface TimeZoneRegion {
  region: string
  zones: { name: string; place: string }[]
}

/** Returns all zones by region. */
export function listTimeZoneRegions(): TimeZoneRegion[] {
  const regions = new Map<string, TimeZoneRegion['zones']>()
  const names = Intl.supportedValuesOf('timeZone').map(toCurrentZoneName)
  for (const name of names.toSorted()) {
    const end = name.indexOf('/')
    if (end === -1) continue
    const region = name.slice(0, end)
    const place = name
      .slice(end + 1)
      .replaceAll('_', ' ')
      .split('/')
      .toReversed()
      .join(', ')
    const zones = regions.get(region) ?? []
    regions.set(region, [...zones, { name, place }])
  }
  return [...regions].map(([region, zones]) => ({
    region,
    zones: zones.toSorted((a, b) => (a.place < b.place ? -1 : 1)),
  }))
}
