import { ImportFieldError } from '../../imports/import-errors.ts'
import { quoteValue } from '../../imports/quote-value.ts'
import { parseNameField, parseSkuField, parseTextField } from '../../imports/text-fields.ts'
import { childrenOf, childText } from '../../imports/xml-elements.ts'
import type { XmlElement } from '../../imports/xml-reader.ts'
import type { Fitment } from '../../ports/sku-fitments.ts'
import { parseQuantity, parseYears } from '../csv-fields.ts'
import type { FitmentLine } from '../fitment-line.ts'
import type { NamedVehicle } from '../vehicle-key.ts'
import type { BaseVehicle, VehicleNames } from './vehicle-names.ts'

export interface AcesParts {
  /** The market of applications without a Region; empty: any. */
  market: string
  names: VehicleNames
  /** Called for an id that has neither a text nor a name in the vehicle file. */
  onUnresolved(element: string, id: string): void
}

/** Elements of an application that say nothing about the vehicle or the mounting. */
export const UNUSED_ELEMENTS = [
  'PartType',
  'MfrLabel',
  'DisplayOrder',
  'AssetName',
  'AssetItemOrder',
  'AssetItemRef',
  'DigitalAsset',
]

const VEHICLE_ELEMENTS = ['BaseVehicle', 'Years', 'Make', 'Model', 'SubModel', 'EngineBase', 'Region']
const OTHER_ELEMENTS = [...VEHICLE_ELEMENTS, 'Part', 'Qty', 'Position', 'Note', 'Qual']
const EQUIPMENT = ['Mfr', 'EquipmentBase', 'EquipmentModel', 'EquipmentType', 'ProductionYears']

/** Parses an application: a part fits these vehicles, under these conditions. Throws ImportFieldError. */
export function parseAcesApplication(app: XmlElement, parts: AcesParts): FitmentLine {
  if (app.attributes.action === 'D')
    throw new ImportFieldError('deletes an application, but an import replaces everything: leave it out of the file')
  if (EQUIPMENT.some((name) => childrenOf(app, name).length > 0))
    throw new ImportFieldError('is for equipment, which is not a vehicle')
  const [part, ...more] = childrenOf(app, 'Part')
  if (!part || more.length > 0) throw new ImportFieldError(`has ${more.length + (part ? 1 : 0)} Part elements, not one`)
  const conditions: Fitment['qualifiers'] = []
  const vehicles = parseVehicles(app, parts, conditions)
  const positions = childrenOf(app, 'Position').flatMap((position) => describe(position, parts, conditions))
  for (const child of app.children) {
    if (OTHER_ELEMENTS.includes(child.name)) continue
    const text = describe(child, parts, conditions)[0]
    if (text !== undefined) conditions.push({ code: child.name, text })
  }
  const notes = childrenOf(app, 'Note').map(({ text }) => text)
  return {
    sku: parseSkuField(part.text),
    vehicles,
    vehicleId: null,
    fitment: {
      positions: [...new Set(positions)],
      quantity: parseQuantity(childText(app, 'Qty')),
      notes: parseTextField('Note', notes.filter(Boolean).join('\n'), 2_000) || null,
      qualifiers: [...childrenOf(app, 'Qual').flatMap(parseQual), ...conditions],
    },
  }
}

function parseVehicles(app: XmlElement, parts: AcesParts, conditions: Fitment['qualifiers']): NamedVehicle[] {
  const optional = (name: string) => {
    const [element] = childrenOf(app, name)
    return element ? (describe(element, parts, conditions)[0] ?? null) : null
  }
  const common = {
    market: optional('Region') ?? parts.market,
    submodel: optional('SubModel'),
    engine: optional('EngineBase'),
  }
  return listBaseVehicles(app, parts).map((vehicle) => ({ ...vehicle, ...common }))
}

function listBaseVehicles(app: XmlElement, parts: AcesParts): BaseVehicle[] {
  const [base] = childrenOf(app, 'BaseVehicle')
  if (base) {
    const id = base.attributes.id ?? ''
    const vehicle = parts.names.baseVehicle(id)
    if (vehicle) return [vehicle]
    parts.onUnresolved('BaseVehicle', id)
    throw new ImportFieldError(`BaseVehicle ${quoteValue(id)} is not in the vehicle file (--vehicles)`)
  }
  const [years] = childrenOf(app, 'Years')
  if (!years) throw new ImportFieldError('has neither BaseVehicle nor Years')
  const { from = years.text, to = from } = years.attributes
  const [make, model] = [requireName(app, 'Make', parts), requireName(app, 'Model', parts)]
  return parseYears(`${from}-${to}`).map((year) => ({ year, make, model }))
}

function requireName(app: XmlElement, name: string, parts: AcesParts): string {
  const [element] = childrenOf(app, name)
  if (!element) throw new ImportFieldError(`has no ${name}`)
  const [id = '', known] = [element.attributes.id, findName(element, parts)]
  if (known !== null) return known
  parts.onUnresolved(name, id)
  throw new ImportFieldError(`${name} ${quoteValue(id)} is not in the vehicle file (--vehicles)`)
}

function findName({ name, attributes, text }: XmlElement, { names }: AcesParts): string | null {
  const own = parseNameField(name, text, 128).replaceAll('|', '/')
  return own || names.nameOf(name, attributes.id ?? '')
}

/** Returns the name of an element. An id without a name becomes a condition: a part must never seem to fit more than it does. */
function describe(element: XmlElement, parts: AcesParts, conditions: Fitment['qualifiers']): string[] {
  const name = findName(element, parts)
  if (name !== null) return [name]
  const { id } = element.attributes
  if (id === undefined) return []
  parts.onUnresolved(element.name, id)
  conditions.push({ code: element.name, text: parseNameField('id', id, 64) })
  return []
}

function parseQual(qual: XmlElement): Fitment['qualifiers'] {
  const params = childrenOf(qual, 'param').map(({ attributes }) =>
    [attributes.value, attributes.uom].filter(Boolean).join(' '),
  )
  const text = parseNameField('Qual', childText(qual, 'text') || qual.text || params.join(', '), 256)
  const { id } = qual.attributes
  if (text === '') return id === undefined ? [] : [{ code: 'QUAL', text: parseNameField('id', id, 64) }]
  return [{ code: id === undefined ? 'QUAL' : `QUAL-${parseNameField('id', id, 32)}`, text: text.replaceAll('|', '/') }]
}
