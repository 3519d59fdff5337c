import { Decimal } from 'decimal.js'
import jsep from 'jsep'

/** As Python counts with Decimal: 28 digits, halves to even. */
const Python = Decimal.clone({ precision: 28, rounding: Decimal.ROUND_HALF_EVEN })
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i
/** A formula is a line that somebody typed. */
const MAX_LENGTH = 1_000

type Counted = (unitPrice: Decimal) => Decimal
export type PromotionFormula = (unitPrice: string) => string
type Node = jsep.Expression & Record<string, unknown>

/**
 * A promotion's formula, a Python expression there: its arithmetic alone (+ - * /, parentheses, unit_price, numbers, Decimal('0.9'), and a
 * Decimal's quantize, min and max). `null`: it says something else, and what it comes to is not guessed. The function throws when there is
 * no result (a division by zero), as Tryton would.
 */
export function parsePromotionFormula(text: string): PromotionFormula | null {
  try {
    const counted = text.length > MAX_LENGTH || /[\r\n]/.test(text) ? null : read(jsep(text) as Node)
    return counted && ((unitPrice) => written(counted(new Python(unitPrice))))
  } catch {
    return null
  }
}

function written(price: Decimal): string {
  if (!price.isFinite()) throw new RangeError('no number')
  return Python.max(0, price).toFixed()
}

function read(node: Node): Counted | null {
  switch (node.type) {
    case 'Literal':
      return literal(String(node.raw))
    case 'Identifier':
      return node.name === 'unit_price' ? (unitPrice) => unitPrice : null
    case 'UnaryExpression':
      return unary(node)
    case 'BinaryExpression':
      return binary(node)
    case 'CallExpression':
      return called(node)
    default:
      return null
  }
}

/** Tryton makes a Decimal of every number in the text, as it is written there. */
function literal(raw: string): Counted | null {
  if (!NUMBER.test(raw) || /^[-+]?0\d/.test(raw)) return null
  const value = new Python(raw)
  return () => value
}

function unary({ operator, argument }: Node): Counted | null {
  const of = read(argument as Node)
  if (!of) return null
  if (operator === '+') return of
  return operator === '-' ? (unitPrice) => of(unitPrice).neg() : null
}

const operations: Record<string, (a: Decimal, b: Decimal) => Decimal> = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => a.div(b),
}

function binary({ operator, left, right }: Node): Counted | null {
  const count = Object.hasOwn(operations, operator as string) ? operations[operator as string]! : null
  const [a, b] = [read(left as Node), read(right as Node)]
  return count && a && b && ((unitPrice) => count(a(unitPrice), b(unitPrice)))
}

function called({ callee, arguments: given }: Node): Counted | null {
  const [argument, ...more] = given as Node[]
  const { type, name, object, property, computed } = callee as Node
  if (argument === undefined || more.length > 0) return null
  if (type === 'Identifier') return name === 'Decimal' ? decimal(argument) : null
  if (type !== 'MemberExpression' || computed) return null
  const [own, other] = [read(object as Node), read(argument)]
  if (!own || !other) return null
  const method = (property as Node).name
  if (method === 'quantize') return quantized(own, argument)
  if (method === 'min') return (unitPrice) => Python.min(own(unitPrice), other(unitPrice))
  return method === 'max' ? (unitPrice) => Python.max(own(unitPrice), other(unitPrice)) : null
}

/** Of a number, or of one in quotes. */
function decimal(argument: Node): Counted | null {
  return argument.type === 'Literal' && typeof argument.value === 'string' ? literal(argument.value) : read(argument)
}

/** To as many decimals as the other number is written with. */
function quantized(own: Counted, like: Node): Counted | null {
  const [number] = (like.type === 'CallExpression' ? like.arguments : [like]) as Node[]
  const text = number?.type === 'Literal' ? textOf(number) : ''
  const digits = /^\d+(?:\.(\d*))?$|^\.(\d+)$/.exec(text)
  if (!digits) return null
  const decimals = (digits[1] ?? digits[2] ?? '').length
  return (unitPrice) => {
    const value = own(unitPrice).toDecimalPlaces(decimals)
    // Python has no result that is longer than its precision.
    if (value.toFixed(decimals).replace(/[-.]|^0+/g, '').length > 28) throw new RangeError('too many digits')
    return value
  }
}

const textOf = ({ value, raw }: Node) => (typeof value === 'string' ? value : String(raw))
